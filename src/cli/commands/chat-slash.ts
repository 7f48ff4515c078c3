import { Failure } from '#failure'
import type { ReceiptReport } from '#timeline'
import type { Context } from '../context.ts'
import { back, change } from './change.ts'
import { readCount } from './read-count.ts'
import { log } from './read.ts'

export const HELP = 'Say what to do. /undo [N], /redo [N], /back, /log, /exit; Ctrl-C stops a turn.'

/** Answers with the prompt that was undone, which people may want to say again. */
export async function answerSlash(
  context: Context,
  session: string | null,
  said: string,
): Promise<string> {
  const [name = '', argument] = said.split(/\s+/)
  if (name === '/help') return tell(context)
  if (session === null) throw new Failure('usage', 'There is no session yet: say something first.')
  const here = { ...context, wanted: { session, project: null } }
  switch (name) {
    case '/undo':
      return offered(await change(here, {}, () => ({ verb: 'undo', count: readCount(argument) })))
    case '/redo':
      await change(here, {}, () => ({ verb: 'redo', count: readCount(argument) }))
      return ''
    case '/back':
      return offered(await back(here, {}))
    case '/log':
      await log(here, {})
      return ''
    default:
      throw new Failure('usage', `There is no ${name}.`, { hint: HELP })
  }
}

function tell(context: Context): string {
  context.say(HELP)
  return ''
}

/** A prompt of several lines cannot be put into a line to edit. */
function offered(receipt: ReceiptReport | null): string {
  const prompt = receipt?.prompt ?? ''
  return prompt.includes('\n') ? '' : prompt
}
