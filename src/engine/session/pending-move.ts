import type { OpenSession } from '#agents'
import { dropSessionFact, getSessionFact, putSessionFact, type Store } from '#store'
import { pathTo, type Tree, type Turn, type TurnId } from '#timeline'
import type { PendingMove } from '../project/index.ts'

export const pendingFact = 'pending-move'
/** The last written move: a running agent that Retake did not see can overwrite it (sem.C4). */
const WRITTEN = 'written-move'

export function readPending(store: Store, session: string): PendingMove | null {
  return (getSessionFact(store, session, pendingFact) as PendingMove | undefined) ?? null
}

export function readWritten(store: Store, session: string): PendingMove | null {
  return (getSessionFact(store, session, WRITTEN) as PendingMove | undefined) ?? null
}

export function putPending(store: Store, session: string, move: PendingMove): void {
  putSessionFact(store, session, pendingFact, move)
}

export function putWritten(store: Store, session: string, move: PendingMove): void {
  putSessionFact(store, session, WRITTEN, move)
  dropSessionFact(store, session, pendingFact)
}

export function dropPending(store: Store, session: string): void {
  dropSessionFact(store, session, pendingFact)
}

export function dropWritten(store: Store, session: string): void {
  dropSessionFact(store, session, WRITTEN)
}

/**
 * The state of a move according to the transcript: still to be done, done, or void because a prompt
 * was sent since and the conversation continues from there.
 */
export function moveState(
  { open }: { readonly open: Pick<OpenSession, 'conversation' | 'placesOf' | 'hasCalls'> },
  move: PendingMove,
): 'open' | 'done' | 'void' {
  const { turns, head } = open.conversation
  const since = turns.map(({ turn }) => turn).filter(isSentSince)
  // Follows the turn that the move leaves. One that follows the target was typed after the move.
  const isBehind = (turn: Turn, n: number): boolean =>
    turn.parent === (since[n - 1]?.id ?? move.from)
  // These void nothing: the `!` command that asked for the move, and one without tool calls.
  const isAside = (turn: Turn, n: number): boolean =>
    turn.kind === 'shell' &&
    ((move.byShell && n === 0) || (isBehind(turn, n) && !open.hasCalls(turn.id)))
  if (!since.every(isAside)) return 'void'
  if (head === move.target) return 'done'
  return head === move.from || since.some(({ id }) => id === head) ? 'open' : 'void'

  function isSentSince({ kind, id }: Turn): boolean {
    return kind !== 'orphan' && open.placesOf(id).every((place) => place >= move.size)
  }
}

/** The move still to be done: pending, or written and overwritten since. */
export function findOpenMove(
  store: Store,
  session: { readonly open: OpenSession },
): PendingMove | null {
  const { id } = session.open.file
  const move = readPending(store, id) ?? readWritten(store, id)
  return move !== null && moveState(session, move) === 'open' ? move : null
}

/** The turns that the move would leave and that the conversation still has. */
export function turnsOf(
  { tree }: { readonly tree: Tree },
  { target, from }: PendingMove,
): TurnId[] {
  const kept = new Set(pathTo(tree.turns, target))
  const said = new Set(pathTo(tree.turns, tree.head))
  return pathTo(tree.turns, from).filter((id) => !kept.has(id) && said.has(id))
}
