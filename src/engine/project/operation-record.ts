import { listOperations, newestDone, type DoneOperation, type Operation, type Store } from '#store'
import type { TurnId } from '#timeline'
import type { OperationDetails, PendingMove } from './operation-details.ts'
import { parseDetails, parseFollow, refuseDetails } from './parse-details.ts'

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

/** What an operation that a user asked for keeps. */
export function detailsOf(recorded: DoneOperation): OperationDetails {
  return isAsked(recorded) ? parseDetails(recorded) : refuseDetails(recorded)
}

/** What the carrying out of a pending move keeps. */
export function followedBy(recorded: DoneOperation): PendingMove {
  return isAsked(recorded) ? refuseDetails(recorded) : parseFollow(recorded).follows
}

/** The details without the user's words if the operation is about one of these turns; else null. */
export function withoutPrompt(
  recorded: DoneOperation,
  turns: ReadonlySet<TurnId>,
): OperationDetails | null {
  if (!isAsked(recorded)) return null
  const details = detailsOf(recorded)
  return details.turns.some((turn) => turns.has(turn)) ? { ...details, prompt: null } : null
}
