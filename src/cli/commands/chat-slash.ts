import { Failure } from '#failure'
import { readTyped, usageOf, verbsOn } from '#protocol'
import type { ReceiptReport } from '#timeline'
import type { Context } from '../context.ts'
import { takesPrompts } from '../text/receipt-text.ts'
import { change } from './change.ts'
import { log } from './read.ts'

const usages = verbsOn('slash').map((verb) => usageOf(verb).replace(/ \[--.*/, ''))
export const HELP = `Type a prompt, or ${usages.join(', ')}, /log, /exit. Ctrl-C stops a turn.`

/** Returns the undone prompt, so that the user can edit it and send it again. */
export async function answerSlash(
  context: Context,
  session: string | null,
  said: string,
): Promise<string> {
  const [name = ''] = said.split(/\s+/)
  if (name === '/help') return tell(context)
  if (session === null) throw new Failure('usage', 'There is no session yet. Send a prompt first.')
  const here = { ...context, wanted: { session, project: null } }
  if (name === '/log') {
    await log(here, {})
    return ''
  }
  const verb = verbsOn('slash').find((each) => `/${each}` === name)
  if (verb === undefined) throw new Failure('usage', `Unknown command ${name}.`, { hint: HELP })
  const command = readTyped(verb, said.slice(name.length))
  if (command === null) throw new Failure('usage', `Usage: ${usageOf(verb)}`)
  return offered(await change(here, {}, () => command))
}

function tell(context: Context): string {
  context.say(HELP)
  return ''
}

/** Readline edits a single line, so a prompt of several lines is not offered. */
function offered(receipt: ReceiptReport | null): string {
  if (receipt === null || !takesPrompts(receipt)) return ''
  const prompt = receipt.prompt ?? ''
  return prompt.includes('\n') ? '' : prompt
}
