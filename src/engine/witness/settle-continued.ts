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
import { stayOut, type CellId, type TurnId } from '#timeline'
import { detailsOf, isAsked, type OperationDetails } from '../project/index.ts'
import type { IngestedTurns } from './ingested-turns.ts'

const SETTLED = 'settled-at'

/**
 * Cells of a turn that this session moved out stay out for good once a prompt was sent below that
 * turn (sem.C3, sem.C9). Otherwise a later undo and redo would bring back files that the undo did
 * not remove.
 */
export function settleContinued(store: Store, session: OpenSession, taken: IngestedTurns): void {
  const { id } = session.file
  const newest = Math.max(0, ...Object.values(taken).map(({ seq }) => seq))
  const settled = Number(getSessionFact(store, id, SETTLED) ?? 0)
  if (settled === newest) return
  putSessionFact(store, id, SETTLED, newest)
  const prompts = promptsBelow(session, taken, settled)
  const out = allCells(store)
    .map(({ cell }) => cell)
    .filter((cell) => !cell.in && !cell.reverted && prompts.has(cell.turn))
  if (out.length === 0) return
  const moved = movedBy(store, id)
  const own = out.filter((cell) => (moved.get(cell.id) ?? newest) < prompts.get(cell.turn)!)
  if (own.length === 0) return
  const seq = advanceLedger(store, ledgerSeq(store) + 1)
  putCells(store, stayOut(own, new Set(own.map(({ turn }) => turn)), seq))
}

/**
 * For each turn with a new prompt below it: the number of the newest such prompt. A `!` command
 * does not count: `!retake undo` is itself a turn below those that it undoes, and a redo must bring
 * them back.
 */
function promptsBelow(
  { conversation }: OpenSession,
  taken: IngestedTurns,
  settled: number,
): Map<TurnId, number> {
  const all = conversation.turns.map(({ turn }) => turn)
  const parents = new Map(all.map(({ id, parent }) => [id, parent]))
  const shells = new Set<string>(all.flatMap(({ id, kind }) => (kind === 'shell' ? [id] : [])))
  const prompts = new Map<TurnId, number>()
  const turns = Object.entries(taken).filter(([id, { seq }]) => seq > settled && !shells.has(id))
  for (const [turn, { seq }] of turns.toSorted(([, a], [, b]) => b.seq - a.seq))
    for (let at = parents.get(turn as TurnId) ?? null; at !== null && !prompts.has(at);) {
      prompts.set(at, seq)
      at = parents.get(at) ?? null
    }
  return prompts
}

/**
 * When operations of this session last moved each cell in or out. The cell's own numbers do not
 * show it: an operation that inverts another one restores them. Cells that another session moved
 * last are left out, because that session can still bring them back. An operation on a turn in the
 * same file changes what is known of a cell without moving it.
 */
function movedBy(store: Store, session: string): Map<CellId, number> {
  const newest = new Map<CellId, OperationDetails['operation']>()
  for (const done of doneOperations(store)) {
    if (!isAsked(done)) continue
    const { operation } = detailsOf(done)
    for (const { before, after } of operation.cells)
      if (before.in !== after.in && !newest.has(after.id)) newest.set(after.id, operation)
  }
  const own = [...newest].filter(([, operation]) => operation.session === session)
  return new Map(own.map(([cell, { seq }]) => [cell, seq]))
}
