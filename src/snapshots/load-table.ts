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

/** What the last observation saw: one row per directory, as it lies in the store. */
export interface Table extends SnapshotRecord {
  readonly rows: Map<string, Buffer>
  readonly leftOut: Map<string, LeftOutWhy>
}

/** Gets the number of rows, and gives what gets each row as it is read. */
type Tell = (count: number) => (path: string, row: Buffer) => void

/** The table in the store, as it is at one moment; null before the first observation. */
export function loadTable(
  store: Store,
  tell: Tell = () => () => {},
  of: SnapshotOf = '',
): Table | null {
  return readTogether(store.database, () => readTable(store, tell, of))
}

function readTable(store: Store, tell: Tell, of: SnapshotOf): Table | null {
  const last = readSnapshotRecord(store, of)
  if (last === null) return null
  const rows = new Map<string, Buffer>()
  const tellRow = tell(countSnapshotRows(store, of))
  for (const { path, row } of readSnapshotRows(store, of)) {
    rows.set(path, row)
    tellRow(path, row)
  }
  const leftOut = new Map<string, LeftOutWhy>()
  for (const { path, why } of readLeftOut(store, of)) leftOut.set(path, why)
  return { rows, leftOut, ...last }
}

/** All that existed at the last observation and is not in it, by path. */
export function readLeftOut(
  store: Store,
  of: SnapshotOf = '',
): { path: ProjectPath; why: LeftOutWhy }[] {
  return readLeftOutPaths(store, of) as { path: ProjectPath; why: LeftOutWhy }[]
}

/** The next observation is a first one. */
export function forgetSnapshot(store: Store, of: Exclude<SnapshotOf, ''>): void {
  write(store, () => dropSnapshot(store, of))
}
