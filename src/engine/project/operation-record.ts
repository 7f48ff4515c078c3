import { listOperations, newestDone, type DoneOperation, type Operation, type Store } from '#store'
import type { TurnId } from '#timeline'
import type { OperationDetails, PendingMove } from './operation-details.ts'
import { parseDetails, parseFollow, refuseDetails } from './parse-details.ts'

/** The verb of a completed pending move; users never request it. */
export const FOLLOW = 'follow'

/** The operations that users requested, newest first, without completed pending moves. */
export function operationsOf(store: Store): Operation[] {
  return listOperations(store).filter(isAsked)
}

/** Whether a user requested it. */
export function isAsked({ verb }: Pick<DoneOperation, 'verb'>): boolean {
  return verb !== FOLLOW
}

/** The newest completed operation that a user requested; 0 if there is none. */
export function newestOperation(store: Store): number {
  return newestDone(store, FOLLOW)
}

/** The details of an operation that a user requested. */
export function detailsOf(recorded: DoneOperation): OperationDetails {
  return isAsked(recorded) ? parseDetails(recorded) : refuseDetails(recorded)
}

/** The pending move that this operation completed. */
export function followedBy(recorded: DoneOperation): PendingMove {
  return isAsked(recorded) ? refuseDetails(recorded) : parseFollow(recorded).follows
}

/** The details without the prompt if the operation is about one of these turns; else null. */
export function withoutPrompt(
  recorded: DoneOperation,
  turns: ReadonlySet<TurnId>,
): OperationDetails | null {
  if (!isAsked(recorded)) return null
  const details = detailsOf(recorded)
  return details.turns.some((turn) => turns.has(turn)) ? { ...details, prompt: null } : null
}
