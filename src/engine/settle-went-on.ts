import type { OpenSession } from '#agents'
import {
  advanceLedger,
  allCells,
  doneOperations,
  getSessionFact,
  ledgerSeq,
  putCells,
  putSessionFact,
  type Store,
} from '#store'
import { stayOut, type Cell, type TurnId } from '#timeline'
import type { TakenTurns } from './ingest.ts'
import { isAsked } from './operation-record.ts'
import type { OperationDetails } from './read-ledger.ts'

const SETTLED = 'settled-at'

/**
 * Files that this session moved out of a turn stay out for good once a prompt came below that turn
 * (sem.C3, sem.C9). Otherwise a later undo and redo would bring files that nobody undid then.
 */
export function settleWentOn(store: Store, session: OpenSession, taken: TakenTurns): void {
  const { id } = session.file
  const newest = Math.max(0, ...Object.values(taken).map(({ seq }) => seq))
  if (getSessionFact(store, id, SETTLED) === newest) return
  putSessionFact(store, id, SETTLED, newest)
  const prompts = promptsBelow(session, taken)
  const out = allCells(store)
    .map(({ cell }) => cell)
    .filter((cell) => !cell.in && !cell.reverted && cell.since < (prompts.get(cell.turn) ?? 0))
  if (out.length === 0) return
  const moved = movedBy(store, id)
  const own = out.filter((cell) => moved.has(moveOf(cell)))
  if (own.length === 0) return
  const seq = advanceLedger(store, ledgerSeq(store) + 1)
  putCells(store, stayOut(own, new Set(own.map(({ turn }) => turn)), seq))
}

/**
 * The number of the newest prompt below each turn. A `!` command is no prompt: `!retake undo` is
 * itself a turn below those that it takes out, and a redo must bring them back.
 */
function promptsBelow({ conversation }: OpenSession, taken: TakenTurns): Map<TurnId, number> {
  const all = conversation.turns.map(({ turn }) => turn)
  const parents = new Map(all.map(({ id, parent }) => [id, parent]))
  const shells = new Set<string>(all.flatMap(({ id, kind }) => (kind === 'shell' ? [id] : [])))
  const newest = new Map<TurnId, number>()
  const turns = Object.entries(taken)
    .filter(([turn]) => !shells.has(turn))
    .toSorted(([, a], [, b]) => b.seq - a.seq)
  for (const [turn, { seq }] of turns)
    for (let at = parents.get(turn as TurnId) ?? null; at !== null && !newest.has(at);) {
      newest.set(at, seq)
      at = parents.get(at) ?? null
    }
  return newest
}

/** Another session that shares a turn may have taken it out, and can still bring it back. */
function movedBy(store: Store, session: string): Set<string> {
  const moved = doneOperations(store, { session }).flatMap((done) =>
    isAsked(done) ? (done.details as OperationDetails).operation.cells : [],
  )
  return new Set(moved.map(({ after }) => moveOf(after)))
}

function moveOf({ id, since }: Cell): string {
  return `${id} ${since}`
}
