import { listOperations, newestDone, type DoneOperation, type Operation, type Store } from '#store'

/** The verb of a pending move that was carried out; no user asks for it. */
export const FOLLOW = 'follow'

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
