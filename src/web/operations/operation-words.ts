import { shortId } from '#timeline'
import { pastTense, type OperationsView, type ReceiptView } from '#protocol'

export type OperationView = OperationsView['operations'][number]

/** What an operation did, in the past tense. */
export function operationTitle(
  operation: OperationView,
  others: readonly OperationView[] = [],
): string {
  if (operation.verb === 'op-undo') return `Undid ${titleOfUndone(operation, others)}`
  return pastTense(operation.receipt)
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

/** Operations that only name, archive or hide something, and move no session. */
export function isNaming({ verb }: OperationView): boolean {
  return verb.startsWith('checkpoint') || verb.endsWith('rename') || verb.startsWith('branch-')
}

export function placeWords(turn: ReceiptView['from']): string {
  if (turn === null) return 'before the first turn'
  return turn.number === null ? `turn ${shortId(turn.id)}` : `turn ${turn.number}`
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
