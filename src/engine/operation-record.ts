import { listOperations, type Operation, type Store } from '#store'
import type { PendingMove } from './pending-move.ts'

/** The verb of a pending move that was carried out; no user asks for it. */
export const FOLLOW = 'follow'

/** What such an operation keeps. It belongs to the one that asked for the move. */
export interface FollowDetails {
  readonly follows: PendingMove
}

/** What users did with Retake, newest first; what only follows from it is left out. */
export function operationsOf(
  store: Store,
  asked: Parameters<typeof listOperations>[1] = {},
): Operation[] {
  return listOperations(store, asked).filter(({ verb }) => verb !== FOLLOW)
}
