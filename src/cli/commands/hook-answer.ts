import {
  findTurn,
  nothingReceipt,
  plainly,
  readLog,
  type Asked,
  type Inside,
  type ReadSession,
  wordsOf,
  openForChange,
} from '#engine'
import { Failure } from '#failure'
import type { Context } from '../context.ts'
import { logText } from '../text/log-text.ts'
import { makePaint } from '../text/paint.ts'
import { receiptText } from '../text/receipt-text.ts'
import { allVisible } from '../visible.ts'
import type { HookInput } from './hook-input.ts'

/** A word for Retake, typed as a prompt. */
export interface Typed {
  readonly verb: 'undo' | 'redo' | 'rewind' | 'log'
  readonly argument: string
}

/**
 * `/retake:undo 2` and the other commands of the plugin; with `plain` also a prompt that is
 * nothing but `undo`, `Undo 2.` or `redo`.
 */
export function readAsked(prompt: string, { plain }: { plain: boolean }): Typed | null {
  const text = prompt.trim()
  const command = /^\/retake:(undo|redo|rewind|log)(?:\s+(.*))?$/s.exec(text)
  const word = plain ? /^\/?(undo|redo)(?:\s+(\d+))?\s*[.!]?$/i.exec(text) : null
  const found = command ?? word
  if (found === null) return null
  return { verb: found[1]!.toLowerCase() as Typed['verb'], argument: (found[2] ?? '').trim() }
}

const INSIDE: Inside = { kind: 'prompt' }

const USAGE = {
  undo: 'Usage: /retake:undo [N], where N is how many turns.',
  redo: 'Usage: /retake:redo [N], where N is how many turns.',
  rewind: 'Usage: /retake:rewind TURN, a number that /retake:log shows; 0 is before the first.',
  log: 'Usage: /retake:log',
} as const

/** Does what was asked for, and says in a few lines what was done and what to type now. */
export async function answerPrompt(
  context: Context,
  { session: id }: HookInput,
  typed: Typed,
): Promise<string> {
  const paint = makePaint({ ...context.environment, colour: false, width: 76 })
  try {
    if (typed.verb === 'log') return shownLog(context, id, typed)
    const { machine } = context
    using change = await openForChange(machine, id, { inside: INSIDE })
    const asked = askedBy(typed, change.session)
    const words = wordsOf(machine, id)
    const planned = await change.plan(asked, plainly)
    if (planned.kind === 'nothing-to-do')
      return receiptText(allVisible(nothingReceipt(planned.session, planned)), paint, { words })
    const receipt = await change.apply(planned)
    return receiptText(allVisible(receipt), paint, { words })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.hint === undefined ? error.message : `${error.message}\n${error.hint}`
  }
}

function askedBy({ verb, argument }: Typed, { tree }: ReadSession): Asked {
  if (verb === 'rewind') {
    if (argument === '') throw new Failure('usage', USAGE.rewind)
    return { verb, to: argument === '0' ? null : findTurn(tree, argument) }
  }
  const count = argument === '' ? 1 : /^\d{1,6}$/.test(argument) ? Number(argument) : 0
  if (count < 1 || verb === 'log') throw new Failure('usage', USAGE[verb])
  return { verb, count }
}

/** As many turns as a screen has room for. */
const SHOWN = 12

function shownLog(context: Context, id: string, { argument }: Typed): string {
  if (argument !== '') throw new Failure('usage', USAGE.log)
  const report = readLog(context.machine, { session: id, project: null })
  const turns = report.turns.filter(({ number }) => number !== null).slice(-SHOWN)
  const paint = makePaint({ ...context.environment, colour: false, width: 76 })
  return logText(allVisible({ ...report, turns }), paint, context.now).text
}
