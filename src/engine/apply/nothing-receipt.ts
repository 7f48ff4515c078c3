import {
  numberOf,
  type LeftReport,
  type NothingToDo,
  type PlanReport,
  type ReceiptReport,
} from '#timeline'
import type { ReadSession } from '../session/index.ts'

const NOTHING: Record<string, string> = {
  'at-start': 'Nothing to undo: the session has no turns.',
  'at-tip': 'Nothing to redo: there is no undone turn ahead.',
  forked: 'Nothing to redo on this branch. `retake switch BRANCH` goes to another one.',
  'already-there': 'Nothing to do: it is so already.',
  stopped: 'The turn was stopped before it had begun.',
  'no-operation': 'Nothing to undo: Retake has done nothing here.',
}

const FIRST =
  'Nothing to undo: turn 1 has no file changes to undo, and the conversation keeps its first prompt. `--whole` empties it.'
const FILES_BEHIND =
  'Nothing to redo in the conversation. Files of later turns are out: `retake redo --only files` brings them back.'
const ONLY_UNSURE = 'Nothing was changed: what is left may not be the turn’s changes.'

function filesOut(session: string): string {
  const id = session.slice(0, 8)
  return `Nothing to redo in this branch. Files of later turns of session ${id} are out: \`retake redo --only files --session ${id}\` brings them back.`
}

interface NothingBecause {
  readonly why: NothingToDo['why'] | 'stopped'
  readonly left?: readonly LeftReport[]
  readonly filesBehind?: boolean
  readonly filesOutOf?: string | null
}

/** What is said when there was nothing to do: a receipt like any other, with zeros in it. */
export function nothingReceipt(
  { report, tree }: ReadSession,
  {
    verb,
    why,
    left = [],
    filesBehind = false,
    filesOutOf = null,
  }: Pick<NothingToDo, 'verb'> & NothingBecause,
): ReceiptReport {
  const place = tree.head === null ? null : { id: tree.head, number: numberOf(tree, tree.head) }
  return {
    operation: null,
    verb,
    session: report.id,
    from: place,
    to: place,
    branches: [],
    name: null,
    turnsUndone: 0,
    turnsRedone: 0,
    messagesRemoved: 0,
    filesReverted: [],
    filesRemoved: [],
    filesKept: [],
    snapshotBefore: null,
    snapshotRestored: null,
    conversation: 'unchanged',
    firstStays: false,
    left,
    notCovered: [],
    prompt: null,
    nothing:
      (left.length > 0 ? ONLY_UNSURE : undefined) ??
      (why === 'at-start' && tree.head !== null ? FIRST : undefined) ??
      (why === 'at-tip' && filesBehind ? FILES_BEHIND : undefined) ??
      (why === 'at-tip' && filesOutOf !== null ? filesOut(filesOutOf) : undefined) ??
      NOTHING[why === 'at-tip' && tree.branches.length > 1 ? 'forked' : why] ??
      NOTHING['already-there']!,
  }
}

/** The same for a dry run: a plan that changes nothing. */
export function nothingPlan(receipt: ReceiptReport): PlanReport {
  const { verb, session, from, to, branches, name, left, nothing } = receipt
  return {
    id: '',
    verb,
    session,
    from,
    to,
    branches,
    name,
    target: null,
    turns: 0,
    messages: 0,
    conversation: 'none',
    files: [],
    left,
    notCovered: [],
    warnings: nothing === null ? [] : [nothing],
  }
}
