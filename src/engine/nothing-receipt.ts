import { numberOf, type LeftReport, type NothingToDo, type ReceiptReport } from '#timeline'
import type { ReadSession } from './read-session.ts'

const NOTHING: Record<string, string> = {
  'at-start': 'Nothing to undo: the session is at its start.',
  'at-tip': 'Nothing to redo: there is no undone turn ahead.',
  forked: 'Nothing to redo on this branch. `retake switch BRANCH` goes to another one.',
  'already-there': 'Nothing to do: it is so already.',
  stopped: 'The turn was stopped before it had begun.',
  'no-operation': 'Nothing to undo: Retake has done nothing here.',
}

const ONLY_UNSURE = 'Nothing was changed: what is left may not be the turn’s changes.'

interface NothingBecause {
  readonly why: NothingToDo['why'] | 'stopped'
  readonly left?: readonly LeftReport[]
}

/** What is said when there was nothing to do: a receipt like any other, with zeros in it. */
export function nothingReceipt(
  { report, tree }: ReadSession,
  { verb, why, left = [] }: Pick<NothingToDo, 'verb'> & NothingBecause,
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
      NOTHING[why === 'at-tip' && tree.branches.length > 1 ? 'forked' : why] ??
      NOTHING['already-there']!,
  }
}
