import type { OpenSession } from '#agents'
import {
  advanceLedger,
  allCells,
  appendLinks,
  cellsOfTurn,
  dropCell,
  getSessionFact,
  ledgerSeq,
  linksOfAuthor,
  listOperations,
  putCells,
  putSessionFact,
  write,
} from '#store'
import { addLink, stayOut, type Cell, type ProjectPath, type TurnId, type Value } from '#timeline'
import type { OperationDetails } from './read-ledger.ts'
import type { Project } from './open-project.ts'
import { findTakenOut, passedOver, takenOut } from './passed-over.ts'
import { projectContents } from './project-contents.ts'
import { lookAtPresent } from './read-present.ts'
import { evidenceOf, recordedLinks, type TurnEdit } from './recorded-links.ts'

/** What has been taken over of a session's turns: the ledger's number then, and how many rows. */
export type TakenTurns = Record<TurnId, { readonly seq: number; readonly rows: number }>

const FACT = 'taken-turns'

export function takenTurns({ store }: Project, session: string): TakenTurns {
  return (getSessionFact(store, session, FACT) ?? {}) as TakenTurns
}

/**
 * Takes what the agent recorded of a session into the project's ledger: each edit a link, each
 * turn and path a cell. Only what is new is read. All of it happens in one transaction, so that
 * two processes cannot take the same edit twice.
 */
export function ingest(project: Project, session: OpenSession): void {
  const { store } = project
  write(store, () => {
    const taken: Record<string, { seq: number; rows: number }> = {
      ...takenTurns(project, session.file.id),
    }
    const fresh: TurnEdit[] = []
    const grown = session.conversation.turns.filter(
      ({ turn, rows }) => taken[turn.id]?.rows !== rows.length,
    )
    if (grown.length === 0) return
    for (const { turn, rows } of grown) {
      const before = taken[turn.id]
      const { edits, hasAgents } = session.readTurn(turn.id)
      const known = new Set(
        linksOfAuthor(store, { kind: 'turn', id: turn.id }).map(({ evidence }) => evidence),
      )
      fresh.push(
        ...edits
          .filter((edit) => !known.has(evidenceOf(edit)))
          .map((edit) => ({ turn: turn.id, since: turn.at, edit })),
      )
      // A subagent can write long after its turn: such a turn is never taken over for good.
      const seq = before?.seq ?? advanceLedger(store, ledgerSeq(store) + 1)
      taken[turn.id] = { seq, rows: hasAgents ? -1 : rows.length }
    }
    addToLedger(project, session, fresh)
    settleFirstTurn(project, session.file.id, taken)
    putSessionFact(store, session.file.id, FACT, taken)
  })
}

/**
 * The files stood before the first turn and the conversation went on from it (sem.C9): they stay
 * out for good, since a redo that brought them back would change files that nobody undid.
 */
function settleFirstTurn({ store }: Project, session: string, taken: TakenTurns): void {
  const [newest] = listOperations(store, { session, limit: 1 })
  if (newest?.state !== 'committed') return
  const { to, seq } = (newest.details as OperationDetails).operation
  const wentOn = Object.values(taken).some((turn) => turn.seq > seq)
  if (!to.beforeFirst || to.turn === null || !wentOn) return
  const cells = cellsOfTurn(store, to.turn).map(({ cell }) => cell)
  const settled = stayOut(cells, new Set([to.turn]), ledgerSeq(store) + 1)
  const changed = settled.filter((cell, i) => cell !== cells[i])
  if (changed.length === 0) return
  putCells(store, changed)
  advanceLedger(store, ledgerSeq(store) + 1)
}

function addToLedger(project: Project, session: OpenSession, fresh: readonly TurnEdit[]): void {
  const { store } = project
  const { turns: entries, head } = session.conversation
  const turns = new Map(entries.map(({ turn }) => [turn.id, turn]))
  const before = new Map(allCells(store).map(({ cell }) => [cell.id, cell]))
  let cells: readonly Cell[] = [...before.values()]
  for (const link of recordedLinks(project, fresh)) {
    const turn = link.author.id as TurnId
    // Before the link is numbered: it was made in a file that no longer had those effects.
    takeOut(passedOver(turns, turn), link.path, link.before)
    const [seq] = appendLinks(store, [link])
    cells = addLink(cells, {
      seq: seq!,
      path: link.path,
      renamedFrom: link.from,
      before: link.before,
      after: link.after,
      author: { kind: 'turn', turn },
      madeDirectories: link.madeDirectories,
    })
  }
  const passed = passedOver(turns, head)
  for (const path of new Set(
    cells.filter((cell) => passed.has(cell.turn)).map((cell) => cell.path),
  ))
    takeOut(passed, path, lookAtPresent(project, path, projectContents(store)))
  putCells(
    store,
    cells.filter((cell) => before.get(cell.id) !== cell),
  )
  const left = new Set(cells.map(({ id }) => id))
  for (const id of before.keys()) if (!left.has(id)) dropCell(store, id)

  function takeOut(passed: ReadonlySet<TurnId>, path: ProjectPath, content: Value): void {
    for (const cell of findTakenOut(cells, passed, { path, content })) {
      const out = takenOut(cell, advanceLedger(store, ledgerSeq(store) + 1))
      cells = cells.map((each) => (each === cell ? out : each))
    }
  }
}
