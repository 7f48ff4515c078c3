import { listOperations, newestDone, type DoneOperation, type Operation, type Store } from '#store'
import type { PendingMove } from './pending-move.ts'

/** The verb of a pending move that was carried out; no user asks for it. */
export const FOLLOW = 'follow'

/** What such an operation keeps. It belongs to the one that asked for the move. */
export interface FollowDetails {
  readonly follows: PendingMove
}

/** What users did with Retake, newest first; what only follows from it is left out. */
export function operationsOf(store: Store): Operation[] {
  return listOperations(store).filter(isAsked)
}

/** Whether a user asked for it. */
export function isAsked({ verb }: Pick<DoneOperation, 'verb'>): boolean {
  return verb !== FOLLOW
}

/** The newest that a user asked for and that was done; 0 where there is none. */
export function newestOperation(store: Store): number {
  return newestDone(store, FOLLOW)
}
