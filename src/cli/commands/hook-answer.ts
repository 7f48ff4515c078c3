import {
  noteForReopened,
  nothingReceipt,
  openForChange,
  readLog,
  wordsOf,
  type AgentWords,
  type Inside,
} from '#engine'
import { Failure } from '#failure'
import type { ReceiptReport } from '#timeline'
import { readTyped, usageOf, verbsOn, verbOf, type Command, type VerbOn } from '#protocol'
import type { Context } from '../context.ts'
import { logText } from '../text/log-text.ts'
import { makePaint, type Paint } from '../text/paint.ts'
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

const TYPED = new RegExp(
  `^(?:/?retake:|retake )(${verbsOn('inside').join('|')}|log)(?:\\s+(.*))?$`,
  's',
)

const INSIDE: Inside = { kind: 'prompt' }

/** Runs the command; returns what was done and what to type next, in a few lines. */
export async function answerPrompt(
  context: Context,
  { session: id }: HookInput,
  typed: Typed,
): Promise<string> {
  const words = wordsOf(context.machine, id)
  const wording = inAgent(words.typed)
  const paint = makePaint({ ...context.environment, colour: false, width: 76, wording })
  try {
    if (typed.verb === 'log') return shownLog(context, id, { typed, paint, words })
    const command = commandOf(typed.verb, typed.argument, words)
    const { machine } = context
    using change = await openForChange(machine, id, { inside: INSIDE })
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

function commandOf(verb: VerbOn<'inside'>, argument: string, words: AgentWords): Command {
  const command = readTyped(verb, argument)
  if (command !== null) return command
  throw new Failure('usage', `Usage: ${usageOf(verb, words.typed)}`, {
    hint: `It can ${verbOf(verb).does}.`,
  })
}

/** Turns that fit on a screen. */
const SHOWN = 12

function shownLog(
  context: Context,
  id: string,
  { typed, paint, words }: { typed: Typed; paint: Paint; words: AgentWords },
): string {
  if (typed.argument !== '') throw new Failure('usage', `Usage: ${words.typed}log`)
  const report = readLog(context.machine, { session: id, project: null })
  const turns = report.turns.filter(({ number }) => number !== null).slice(-SHOWN)
  return logText(allVisible({ ...report, turns }), paint, context.now).text
}
