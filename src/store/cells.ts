import type { ProjectPath, Value } from '#timeline'
import { all, run, type Row } from './database.ts'
import { write, type Store } from './store.ts'
import { pathBytes, readPathBytes, readValueText, valueText } from './value-text.ts'

/** What one turn did to one path, and whether that is in the file now (sem.1). */
export interface StoredCell {
  readonly turn: string
  readonly path: ProjectPath
  readonly side: 'in' | 'out'
  /** The ledger's number since which it is on this side. */
  readonly since: number
  readonly reverted: boolean
  /** More than one when foreign links lie between. */
  readonly effects: readonly { readonly before: Value; readonly after: Value }[]
  /** What the latest move of this cell really replaced and wrote. */
  readonly last: { readonly pre: Value; readonly post: Value } | null
  /** Goes up with every change; a plan pins it. */
  readonly version: number
}

/** The latest operation that moved cells of a path (sem.V2). */
export interface StoredMove {
  readonly path: ProjectPath
  readonly operation: number
  readonly direction: 'in' | 'out'
  readonly turns: readonly string[]
  readonly pre: Value
  readonly post: Value
}

export function putCells(store: Store, cells: readonly Omit<StoredCell, 'version'>[]): void {
  write(store, () => {
    for (const cell of cells) putCell(store, cell)
  })
}

function putCell(store: Store, cell: Omit<StoredCell, 'version'>): void {
  const effects = cell.effects.map(({ before, after }) => [valueText(before), valueText(after)])
  run(
    store.database,
    `insert into cell (turn, path, side, since, reverted, effects, last, version)
     values (?, ?, ?, ?, ?, ?, ?, 1)
     on conflict (turn, path) do update set side = excluded.side, since = excluded.since,
       reverted = excluded.reverted, effects = excluded.effects, last = excluded.last,
       version = cell.version + 1`,
    cell.turn,
    pathBytes(cell.path),
    cell.side,
    cell.since,
    cell.reverted ? 1 : 0,
    JSON.stringify(effects),
    cell.last === null
      ? null
      : JSON.stringify([valueText(cell.last.pre), valueText(cell.last.post)]),
  )
}

export function cellsOfTurn(store: Store, turn: string): StoredCell[] {
  return all(store.database, 'select * from cell where turn = ? order by path', turn).map(toCell)
}

export function cellsOfPath(store: Store, path: ProjectPath): StoredCell[] {
  return all(
    store.database,
    'select * from cell where path = ? order by turn',
    pathBytes(path),
  ).map(toCell)
}

export function allCells(store: Store): StoredCell[] {
  return all(store.database, 'select * from cell order by turn, path').map(toCell)
}

export function putMove(store: Store, move: StoredMove): void {
  write(store, () =>
    run(
      store.database,
      `insert or replace into move (path, operation, direction, turns, pre, post)
       values (?, ?, ?, ?, ?, ?)`,
      pathBytes(move.path),
      move.operation,
      move.direction,
      JSON.stringify(move.turns),
      valueText(move.pre),
      valueText(move.post),
    ),
  )
}

export function allMoves(store: Store): StoredMove[] {
  return all(store.database, 'select * from move order by path').map((row) => ({
    path: readPathBytes(row['path']),
    operation: Number(row['operation']),
    direction: row['direction'] as StoredMove['direction'],
    turns: JSON.parse(String(row['turns'])) as string[],
    pre: readValueText(row['pre']),
    post: readValueText(row['post']),
  }))
}

function toCell(row: Row): StoredCell {
  const effects = JSON.parse(String(row['effects'])) as [unknown, unknown][]
  const last = row['last'] === null ? null : (JSON.parse(String(row['last'])) as [unknown, unknown])
  return {
    turn: String(row['turn']),
    path: readPathBytes(row['path']),
    side: row['side'] as StoredCell['side'],
    since: Number(row['since']),
    reverted: row['reverted'] === 1,
    effects: effects.map(([before, after]) => ({
      before: readValueText(before),
      after: readValueText(after),
    })),
    last: last === null ? null : { pre: readValueText(last[0]), post: readValueText(last[1]) },
    version: Number(row['version']),
  }
}
