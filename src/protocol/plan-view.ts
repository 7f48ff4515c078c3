import type { Act } from '#failure'
import type {
  DirectoryPlan,
  BranchName,
  Choice,
  ConflictSides,
  Continues,
  Reopen,
  FilePlan,
  LeftReport,
  PlanReport,
  ReceiptReport,
  TurnName,
} from '#timeline'

export interface FilePlanView {
  path: string
  verb: FilePlan['verb']
  added: number
  removed: number
  linesNow: number
  linesAfter: number
  timesChanged: number
  why?: string
  changedBy?: { session: string; turn: number | null }
  choices?: Choice[]
  /** Identifies the versions of the conflict: a choice made for another value does not apply. */
  between?: string
  /** Lines, from 1, where both changed the same place. */
  conflicts?: { yours: [number, number]; theirs: [number, number] }[]
}

export interface PlanView {
  schema: 'retake.plan/1'
  id: string
  verb: string
  session: string
  from: TurnName | null
  to: TurnName | null
  /** The files go back before turn 1 too; the conversation keeps that turn. */
  beforeFirst?: true
  /** The branches it concerns. */
  branches?: BranchName[]
  /** The name that it sets or removes. */
  name?: string
  target?: { prompt: string; at: string | null }
  turns: number
  messages: number
  conversation: 'move' | 'pending' | 'none'
  /** Pending, but Retake reopens the agent there: it runs under `retake claude`. */
  reopens?: true
  /** The new session to continue in, because this one cannot be moved. */
  continues?: Continues
  files: FilePlanView[]
  /** Empty directories to create or remove. */
  directories?: readonly DirectoryPlan[]
  /** Everything that it leaves as it is. */
  left: LeftReport[]
  /** The paths of `left` whose changes may not be the turns'; `includeUnsure` undoes them too. */
  unsure?: readonly string[]
  notCovered: string[]
  warnings: string[]
}

export function planView(plan: PlanReport): PlanView {
  const { target, branches, name, files, left, notCovered, warnings, ...rest } = plan
  return {
    schema: 'retake.plan/1',
    ...rest,
    ...about(branches, name),
    ...(target === null ? {} : { target }),
    files: files.map(filePlanView),
    left: [...left],
    notCovered: [...notCovered],
    warnings: [...warnings],
  }
}

function about(
  branches: readonly BranchName[],
  name: string | null,
): { branches?: BranchName[]; name?: string } {
  return {
    ...(branches.length === 0 ? {} : { branches: [...branches] }),
    ...(name === null ? {} : { name }),
  }
}

function filePlanView(file: FilePlan): FilePlanView {
  const { path, verb, added, removed, linesNow, linesAfter, timesChanged } = file
  return {
    path,
    verb,
    added,
    removed,
    linesNow,
    linesAfter,
    timesChanged,
    ...(file.why === null ? {} : { why: file.why }),
    ...(file.choices.length === 0 ? {} : { choices: [...file.choices] }),
    ...(file.changedBy === undefined ? {} : { changedBy: file.changedBy }),
    ...(file.sides === null ? {} : { between: betweenOf(file.sides) }),
    ...(file.regions.length === 0
      ? {}
      : {
          conflicts: file.regions.map(({ ours, theirs }) => ({
            yours: [ours[0], ours[1]] as [number, number],
            theirs: [theirs[0], theirs[1]] as [number, number],
          })),
        }),
  }
}

function betweenOf({ base, ours, theirs }: ConflictSides): string {
  const words = [base, ours, theirs].map((value) => {
    if (value?.kind === 'file') return `${value.content}:${value.mode.toString(8)}`
    return value?.kind === 'symlink' ? `link:${JSON.stringify(value.target)}` : value?.kind
  })
  return words.map((word) => word ?? '-').join(' ')
}

export interface ReceiptView {
  schema: 'retake.receipt/1'
  operation: number | null
  verb: string
  session: string
  from: TurnName | null
  to: TurnName | null
  branches?: BranchName[]
  name?: string
  turnsUndone: number
  turnsRedone: number
  messagesRemoved: number
  filesReverted: string[]
  filesKept: string[]
  /** Those of `filesKept` whose changes are another turn's, not the user's. */
  keptBy?: { path: string; session: string; turn: number | null }[]
  snapshotBefore: string | null
  snapshotRestored: string | null
  conversation: 'moved' | 'pending' | 'unchanged'
  /** Set if the session is open under `retake claude`. */
  reopen?: Reopen
  continues?: Continues
  /** Everything that it left as it was. */
  left: LeftReport[]
  notCovered: string[]
  warnings?: string[]
  marked?: { path: string; line: number }[]
  prompt?: string
  nothing?: string
  /** What to do instead, as text and acts. */
  remedy?: readonly (string | Act)[]
}

/** An operation belongs to one project: an act in several projects has several receipts. */
export interface ReceiptsView {
  schema: 'retake.receipts/1'
  receipts: ReceiptView[]
}

export function receiptsView(receipts: readonly ReceiptReport[]): ReceiptsView {
  return { schema: 'retake.receipts/1', receipts: receipts.map(receiptView) }
}

export function receiptView(receipt: ReceiptReport): ReceiptView {
  const { prompt, nothing, branches, name, filesRemoved, firstStays: _, ...all } = receipt
  const { warnings, marked, keptBy, remedy, ...rest } = all
  return {
    schema: 'retake.receipt/1',
    ...rest,
    filesReverted: [...rest.filesReverted, ...filesRemoved].sort(),
    filesKept: [...rest.filesKept],
    ...(keptBy === undefined ? {} : { keptBy: [...keptBy] }),
    left: [...rest.left],
    notCovered: [...rest.notCovered],
    ...about(branches, name),
    ...(warnings === undefined ? {} : { warnings: [...warnings] }),
    ...(marked === undefined ? {} : { marked: [...marked] }),
    ...(prompt === null ? {} : { prompt }),
    ...(nothing === null ? {} : { nothing }),
    ...(remedy === undefined ? {} : { remedy: typeof remedy === 'string' ? [remedy] : remedy }),
  }
}
