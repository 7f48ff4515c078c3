import type { TurnRows } from '#agents'
import { dropSessionFact, getSessionFact, putSessionFact, type Store } from '#store'
import { pathTo, type TurnId } from '#timeline'
import type { ReadSession } from './read-session.ts'

/**
 * A running agent never reads its transcript again, and its exit writes where it stood itself. So
 * the conversation of a session that is open can only be moved afterwards: the move is pending
 * (sem.C2). It stands for one thing alone, where the conversation is to go; a new one replaces it.
 */
export interface PendingMove {
  /** The last turn to keep; null empties the conversation. */
  readonly target: TurnId | null
  /** The end of the line that it goes to. */
  readonly tip: TurnId | null
  /** Where the conversation stands until then: the tip that must not have grown (sem.C3). */
  readonly from: TurnId | null
  /** How long the transcript was. A prompt behind this was sent since. */
  readonly size: number
  readonly operation: number
  /** It was asked for by a `!` command, which becomes a turn only when it is done. */
  readonly byShell: boolean
  /** How long the transcript was when the move was last found to be done. */
  readonly end?: number
  /** The user was asked whether to send a prompt that would void it. */
  readonly asked?: true
  /** The user knows already that a prompt made it void. */
  readonly told?: true
}

export const pendingFact = 'pending-move'
/** The last move that was written: a running agent that nobody knew of can overwrite it (sem.C4). */
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
 * What became of it, as far as the transcript tells: still to be done, done, or void, because a
 * prompt was sent since and the conversation goes on from there.
 */
export function fateOf(
  { open: { conversation } }: Pick<ReadSession, 'open'>,
  move: PendingMove,
): 'open' | 'done' | 'void' {
  const since = conversation.turns.filter((entry) => isSentSince(entry, move.size))
  const isOwn = (entry: TurnRows): boolean => move.byShell && entry === since[0]
  // Behind the place that the move leaves. One behind its target was typed after the move.
  const isBehind = ({ turn }: TurnRows, n: number): boolean =>
    turn.parent === (since[n - 1]?.turn.id ?? move.from)
  const isAside = (entry: TurnRows, n: number): boolean =>
    entry.turn.kind === 'shell' && (isOwn(entry) || (isBehind(entry, n) && !hasCalls(entry)))
  if (!since.every(isAside)) return 'void'
  const { head } = conversation
  if (head === move.target) return 'done'
  return head === move.from || since.some(({ turn }) => turn.id === head) ? 'open' : 'void'
}

/** The agent may answer a `!` command, and may do more than talk. */
function hasCalls({ rows }: TurnRows): boolean {
  return rows.some(({ call }) => call !== null)
}

function isSentSince({ turn, rows }: TurnRows, size: number): boolean {
  return turn.kind !== 'orphan' && rows.every(({ place }) => place >= size)
}

/** The move that is still to be done, asked for just now or written and overwritten since. */
export function findOpenMove(store: Store, session: Pick<ReadSession, 'open'>): PendingMove | null {
  const { id } = session.open.file
  const move = readPending(store, id) ?? readWritten(store, id)
  return move !== null && fateOf(session, move) === 'open' ? move : null
}

/** The turns it would leave behind that the conversation still has. */
export function turnsOf({ tree }: ReadSession, { target, from }: PendingMove): TurnId[] {
  const kept = new Set(pathTo(tree.turns, target))
  const said = new Set(pathTo(tree.turns, tree.head))
  return pathTo(tree.turns, from).filter((id) => !kept.has(id) && said.has(id))
}
