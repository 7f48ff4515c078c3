import { add, remedy, command, type Remedy } from '#failure'
import {
  includable,
  numberOf,
  wordsForLeft,
  type LeftReport,
  type NothingToDo,
  type PlanReport,
  type ReceiptReport,
  shortId,
} from '#timeline'
import type { ReadSession } from '../session/index.ts'

interface Explanation {
  readonly nothing: string
  readonly remedy?: Remedy
}

const NOTHING: Record<string, string> = {
  'at-start': 'Nothing to undo: the session has no turns.',
  'at-tip': 'Nothing to redo: no turn is undone.',
  'already-there': 'Nothing to do.',
  stopped: 'The turn was stopped before it started.',
  'no-operation': 'Nothing to undo: Retake has not changed anything here.',
}

const FORKED: Explanation = {
  nothing: 'Nothing to redo on this branch.',
  remedy: remedy`${command('switch', ['BRANCH'])} to go to another one.`,
}
const FIRST: Explanation = {
  nothing:
    'Nothing to undo: turn 1 has no file changes to undo, and the conversation keeps its first prompt.',
  remedy: remedy`${add('whole')} to empty the conversation.`,
}
const FILES_BEHIND: Explanation = {
  nothing: 'Nothing to redo in the conversation, but file changes of later turns are undone.',
  remedy: remedy`${command('redo', [], { only: 'files' })} to redo them.`,
}
const ONLY_UNSURE: Explanation = {
  nothing: 'Nothing was changed: what is left may not be the turn’s changes.',
}

function filesOut(session: string): Explanation {
  const id = shortId(session)
  return {
    nothing: `Nothing to redo on this branch, but file changes of later turns of session ${id} are undone.`,
    remedy: remedy`${command('redo', [], { only: 'files', session: id })} to redo them.`,
  }
}

interface NothingBecause {
  readonly why: NothingToDo['why'] | 'stopped'
  readonly left?: readonly LeftReport[]
  readonly filesBehind?: boolean
  readonly filesOutOf?: string | null
}

/** The receipt if there was nothing to do: the usual fields, empty or zero. */
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
    notCovered: left.filter(({ include }) => include === undefined).map(wordsForLeft),
    prompt: null,
    ...explainNothing(tree, { why, left, filesBehind, filesOutOf }),
  }
}

function explainNothing(
  { head, branches }: ReadSession['tree'],
  { why, left, filesBehind, filesOutOf }: Required<NothingBecause>,
): Explanation {
  if (includable(left).length > 0) return ONLY_UNSURE
  if (why === 'at-start' && head !== null) return FIRST
  if (why === 'at-tip' && filesBehind) return FILES_BEHIND
  if (why === 'at-tip' && filesOutOf !== null) return filesOut(filesOutOf)
  if (why === 'at-tip' && branches.length > 1) return FORKED
  return { nothing: NOTHING[why] ?? NOTHING['already-there']! }
}

/** The same for a dry run: an empty plan. */
export function nothingPlan(receipt: ReceiptReport): PlanReport {
  const { verb, session, from, to, branches, name, left, notCovered, nothing } = receipt
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
    notCovered,
    warnings: nothing === null ? [] : [nothing],
  }
}
