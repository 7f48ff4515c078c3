import {
  countSnapshotRows,
  dropSnapshot,
  readLeftOutPaths,
  readSnapshotRecord,
  readSnapshotRows,
  readTogether,
  write,
  type SnapshotOf,
  type SnapshotRecord,
  type Store,
} from '#store'
import type { ProjectPath } from '#timeline'
import type { LeftOutWhy } from './entry-value.ts'

/** The result of the last observation: one row per directory, as stored. */
export interface Table extends SnapshotRecord {
  readonly rows: Map<string, Buffer>
  readonly leftOut: Map<string, LeftOutWhy>
}

/** Called with the number of rows; returns a callback that receives each row as it is read. */
type OnRows = (count: number) => (path: string, row: Buffer) => void

/** Reads the table in one transaction; null before the first observation. */
export function loadTable(
  store: Store,
  onRows: OnRows = () => () => {},
  of: SnapshotOf = '',
): Table | null {
  return readTogether(store.database, () => readTable(store, onRows, of))
}

function readTable(store: Store, onRows: OnRows, of: SnapshotOf): Table | null {
  const last = readSnapshotRecord(store, of)
  if (last === null) return null
  const rows = new Map<string, Buffer>()
  const onRow = onRows(countSnapshotRows(store, of))
  for (const { path, row } of readSnapshotRows(store, of)) {
    rows.set(path, row)
    onRow(path, row)
  }
  const leftOut = new Map<string, LeftOutWhy>()
  for (const { path, why } of readLeftOut(store, of)) leftOut.set(path, why)
  return { rows, leftOut, ...last }
}

/** Every path that existed at the last observation but was not captured. */
export function readLeftOut(
  store: Store,
  of: SnapshotOf = '',
): { path: ProjectPath; why: LeftOutWhy }[] {
  return readLeftOutPaths(store, of) as { path: ProjectPath; why: LeftOutWhy }[]
}

/** Makes the next observation a first one. */
export function forgetSnapshot(store: Store, of: Exclude<SnapshotOf, ''>): void {
  write(store, () => dropSnapshot(store, of))
}
