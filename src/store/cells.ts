import type { Cell, LatestMove, ProjectPath, TurnId } from '#timeline'
import { all, run, type Row } from './database.ts'
import { write, type Store } from './store.ts'
import { pathBytes, readPathBytes } from './value-text.ts'
import { parseRecord } from './parse-record.ts'

/** A cell with a version that increases with every change. A plan pins the version (sem.O1). */
export interface StoredCell {
  readonly cell: Cell
  readonly version: number
}

/** An existing cell gets the next version, so that older plans become stale. */
export function putCells(store: Store, cells: readonly Cell[]): void {
  write(store, () => {
    for (const cell of cells)
      run(
        store.database,
        `insert into cell (id, turn, path, cell, version) values (?, ?, ?, ?, 1)
         on conflict (id) do update set path = excluded.path, cell = excluded.cell,
           version = cell.version + 1`,
        cell.id,
        cell.turn,
        pathBytes(cell.path),
        JSON.stringify(cell),
      )
  })
}

export function dropCell(store: Store, id: Cell['id']): void {
  write(store, () => run(store.database, 'delete from cell where id = ?', id))
}

export function allCells(store: Store): StoredCell[] {
  return all(store.database, 'select cell, version from cell order by id').map(toCell)
}

export function cellsOfTurn(store: Store, turn: TurnId): StoredCell[] {
  return all(store.database, 'select cell, version from cell where turn = ?', turn).map(toCell)
}

/**
 * Sets the latest move of a path, or deletes it (null) (sem.V2). It replaces the move before: only
 * the latest move of a path can be inverted as a whole.
 */
export function putMove(store: Store, path: ProjectPath, move: LatestMove | null): void {
  write(store, () => {
    if (move === null) run(store.database, 'delete from move where path = ?', pathBytes(path))
    else
      run(
        store.database,
        'insert or replace into move (path, move) values (?, ?)',
        pathBytes(path),
        JSON.stringify(move),
      )
  })
}

export function allMoves(store: Store): Map<ProjectPath, LatestMove> {
  return new Map(
    all(store.database, 'select path, move from move').map((row) => [
      readPathBytes(row['path']),
      parseRecord(row['move']) as LatestMove,
    ]),
  )
}

function toCell(row: Row): StoredCell {
  return { cell: parseRecord(row['cell']) as Cell, version: Number(row['version']) }
}
