import {
  noteForReopened,
  nothingReceipt,
  openForChange,
  readLog,
  wordsOf,
  type Inside,
} from '#engine'
import { Failure } from '#failure'
import type { ReceiptReport } from '#timeline'
import { readTyped, usageOf, verbsOn, verbOf, type Command, type VerbOn } from '#protocol'
import type { Context } from '../context.ts'
import { logText } from '../text/log-text.ts'
import { makePaint } from '../text/paint.ts'
import { receiptText } from '../text/receipt-text.ts'
import { allVisible } from '../visible.ts'
import type { HookInput } from './hook-input.ts'
import { inAgent } from './slash-words.ts'

/** A Retake command typed as a prompt. */
export interface Typed {
  readonly verb: VerbOn<'inside'> | 'log'
  readonly argument: string
}

/**
 * Parses `/retake:undo 2` and the plugin's other commands. With `plain`, also a prompt that is only
 * `undo`, `Undo 2.` or `redo`.
 */
export function readAsked(prompt: string, { plain }: { plain: boolean }): Typed | null {
  const text = prompt.trim()
  const command = TYPED.exec(text)
  const word = plain ? /^\/?(undo|redo)(?:\s+(\d+))?\s*[.!]?$/i.exec(text) : null
  const found = command ?? word
  if (found === null) return null
  return { verb: found[1]!.toLowerCase() as Typed['verb'], argument: (found[2] ?? '').trim() }
}

const TYPED = new RegExp(`^/retake:(${verbsOn('inside').join('|')}|log)(?:\\s+(.*))?$`, 's')

const INSIDE: Inside = { kind: 'prompt' }

/** Runs the command; returns what was done and what to type next, in a few lines. */
export async function answerPrompt(
  context: Context,
  { session: id }: HookInput,
  typed: Typed,
): Promise<string> {
  const paint = makePaint({ ...context.environment, colour: false, width: 76, wording: inAgent })
  try {
    if (typed.verb === 'log') return shownLog(context, id, typed)
    const command = commandOf(typed.verb, typed.argument)
    const { machine } = context
    using change = await openForChange(machine, id, { inside: INSIDE })
    const words = wordsOf(machine, id)
    const planned = await change.plan(command)
    if (planned.kind === 'nothing-to-do')
      return receiptText(allVisible(nothingReceipt(planned.session, planned)), paint, { words })
    const receipt = await change.apply(planned)
    const text = (said: ReceiptReport): string => receiptText(allVisible(said), paint, { words })
    // Reopening clears the screen and this answer, so the reopened session prints the receipt.
    if (receipt.reopen?.state === 'soon')
      noteForReopened(
        machine.disk,
        machine.places,
        id,
        text({ ...receipt, conversation: 'moved', reopen: { state: 'reopened' } }),
      )
    return text(receipt)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.hint === undefined ? error.message : `${error.message}\n${paint.say(error.hint)}`
  }
}

function commandOf(verb: VerbOn<'inside'>, argument: string): Command {
  const command = readTyped(verb, argument)
  if (command !== null) return command
  throw new Failure('usage', `Usage: ${usageOf(verb, '/retake:')}`, {
    hint: `It can ${verbOf(verb).does}.`,
  })
}

/** Turns that fit on a screen. */
const SHOWN = 12

function shownLog(context: Context, id: string, { argument }: Typed): string {
  if (argument !== '') throw new Failure('usage', 'Usage: /retake:log')
  const report = readLog(context.machine, { session: id, project: null })
  const turns = report.turns.filter(({ number }) => number !== null).slice(-SHOWN)
  const paint = makePaint({ ...context.environment, colour: false, width: 76, wording: inAgent })
  return logText(allVisible({ ...report, turns }), paint, context.now).text
}
