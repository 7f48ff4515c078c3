import type { OperationsView, ReceiptView } from '#protocol'
import { count } from '../words.ts'

export type OperationView = OperationsView['operations'][number]

/** What an operation did, in the past tense. */
export function operationTitle(
  operation: OperationView,
  others: readonly OperationView[] = [],
): string {
  const { verb, receipt, turns } = operation
  const branches = (receipt.branches ?? []).map(({ label }) => label).join(', ')
  const name = receipt.name === undefined ? '' : ` “${receipt.name}”`
  switch (verb) {
    case 'undo':
      return receipt.turnsUndone > 0
        ? `Undid ${count(receipt.turnsUndone, 'turn')}`
        : `Undid ${count(turns, 'turn')}`
    case 'redo':
      return `Redid ${count(receipt.turnsRedone, 'turn')}`
    case 'rewind':
      return rewindTitle(receipt)
    case 'switch':
      return `Switched to ${branches || 'another branch'}`
    case 'branch':
      return `Branched off ${branches || 'a new session'}`
    case 'revert':
      return 'Reverted one turn’s file changes'
    case 'revert-files':
      return `Undid the agent’s changes in ${count(receipt.filesReverted.length, 'file')}`
    case 'revert-off':
      return 'Brought one turn’s file changes back'
    case 'restore':
      return `Restored ${count(receipt.filesReverted.length, 'file')}`
    case 'exact':
      return 'Restored the whole project'
    case 'op-undo':
      return `Undid ${titleOfUndone(operation, others)}`
    case 'checkpoint':
      return `Checkpoint${name}`
    case 'checkpoint-delete':
      return `Deleted the checkpoint${name}`
    case 'branch-rename':
    case 'session-rename':
      return `Renamed${name === '' ? ` ${branches}` : ` to${name}`}`
    case 'branch-delete':
      return `Hid ${branches || 'a branch'}`
    case 'branch-archive':
      return `Archived ${branches || 'a branch'}`
    case 'branch-unarchive':
      return `Unarchived ${branches || 'a branch'}`
    case 'branch-canonical':
      return `Made ${branches || 'a branch'} the main line`
    default:
      return verb
  }
}

function titleOfUndone(operation: OperationView, others: readonly OperationView[]): string {
  const undone = others.find(
    (each) => each.id === operation.inverts && sameProject(each, operation),
  )
  if (undone === undefined) return `operation ${operation.inverts ?? ''}`
  return `“${operationTitle(undone, others)}”`
}

/** Each project numbers its operations on its own. */
export function sameProject(a: { ref?: string }, b: { ref?: string }): boolean {
  return a.ref?.split('.')[0] === b.ref?.split('.')[0]
}

function rewindTitle({ turnsUndone, turnsRedone, to }: ReceiptView): string {
  if (turnsUndone > 0) return `Undid ${count(turnsUndone, 'turn')}`
  if (turnsRedone > 0) return `Redid ${count(turnsRedone, 'turn')}`
  return to?.number == null ? 'Went to the beginning' : `Went to turn ${to.number}`
}

/** Operations that only name, archive or hide something, and move no session. */
export function isNaming({ verb }: OperationView): boolean {
  return verb.startsWith('checkpoint') || verb.endsWith('rename') || verb.startsWith('branch-')
}

export function placeWords(turn: ReceiptView['from']): string {
  if (turn === null) return 'before the first turn'
  return turn.number === null ? `turn ${turn.id.slice(0, 8)}` : `turn ${turn.number}`
}

export interface Day {
  readonly name: string
  readonly operations: readonly OperationView[]
}

/** Groups operations by day, in the user's time zone; they come newest first. */
export function byDay(operations: readonly OperationView[], now = new Date()): Day[] {
  const yesterday = new Date(now.getTime() - 24 * 60 * 60 * 1000)
  const nameOf = (iso: string): string => {
    const date = new Date(iso)
    if (date.toDateString() === now.toDateString()) return 'Today'
    if (date.toDateString() === yesterday.toDateString()) return 'Yesterday'
    const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
    return date.toLocaleDateString('en', {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      ...year,
    })
  }
  return [...Map.groupBy(operations, ({ at }) => nameOf(at))].map(([name, list]) => ({
    name,
    operations: list,
  }))
}
