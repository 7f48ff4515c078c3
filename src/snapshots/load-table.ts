import { nameText } from '#disk'
import {
  all,
  dropSessionFact,
  getSessionFact,
  inSnapshot,
  one,
  putSessionFact,
  readTogether,
  run,
  type SnapshotOf,
  type Store,
  write,
} from '#store'
import type { ProjectPath } from '#timeline'
import type { LeftOutWhy } from './entry-value.ts'

/** What the last observation saw: one row per directory, as it lies in the store. */
export interface Table {
  readonly rows: Map<string, Buffer>
  readonly leftOut: Map<string, LeftOutWhy>
  /** Goes up with each observation that found something, of any process. */
  readonly generation: number
  readonly tree: string
  /** The ignore files outside the project, as they were. */
  readonly rules: string
}

/** Is told how many rows there are, and gives what is told each row when it is read. */
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
  const last = readObservation(store, of)
  if (last === null) return null
  const rows = new Map<string, Buffer>()
  const leftOut = new Map<string, LeftOutWhy>()
  const { sql, bounds } = inSnapshot(of)
  const count = `select count(*) as n from directory where ${sql}`
  const tellRow = tell(Number(one(store.database, count, ...bounds)!['n']))
  const nextRows = `select rowid, cast(path as text) as text, entries from directory
    where rowid > ? and ${sql} order by rowid limit ?`
  // Some at a time: who is told begins with them while others are still being read.
  for (let from = 0, got = PER_READ; got === PER_READ;) {
    const some = all(store.database, nextRows, from, ...bounds, PER_READ)
    for (const { rowid, text, entries } of some) {
      const path = pathOf(store, Number(rowid), String(text)).slice(of.length)
      const row = asBuffer(entries)
      rows.set(path, row)
      tellRow(path, row)
      from = Number(rowid)
    }
    got = some.length
  }
  for (const { path, why } of readLeftOut(store, of)) leftOut.set(path, why)
  return { rows, leftOut, ...last }
}

const PER_READ = 512

/** A text costs half of what a blob does. But where bytes are not UTF-8 it is not the name's. */
function pathOf(store: Store, rowid: number, text: string): string {
  if (!text.includes('\ufffd')) return text
  const { path } = one(store.database, 'select path from directory where rowid = ?', rowid)!
  return nameText(asBuffer(path))
}

/** All that existed at the last observation and is not in it, by path. */
export function readLeftOut(
  store: Store,
  of: SnapshotOf = '',
): { path: ProjectPath; why: LeftOutWhy }[] {
  const { sql, bounds } = inSnapshot(of)
  const left = `select path, why from left_out where ${sql} order by path`
  return all(store.database, left, ...bounds).map((row) => ({
    path: nameText(asBuffer(row['path'])).slice(of.length) as ProjectPath,
    why: String(row['why']) as LeftOutWhy,
  }))
}

export function storedGeneration(store: Store, of: SnapshotOf): number {
  if (of !== '') return readObservation(store, of)?.generation ?? 0
  return Number(one(store.database, 'select generation from observation')?.['generation'] ?? 0)
}

type Observed = Pick<Table, 'generation' | 'tree' | 'rules'>

// Facts of the project itself. The table `observation` has room for the project's own alone.
const PROJECT = '*'
const factOf = (of: SnapshotOf): string => `snapshot ${of}`

function readObservation(store: Store, of: SnapshotOf): Observed | null {
  if (of !== '') return (getSessionFact(store, PROJECT, factOf(of)) ?? null) as Observed | null
  const last = one(store.database, 'select * from observation')
  if (last === undefined) return null
  return {
    generation: Number(last['generation']),
    tree: String(last['tree']),
    rules: String(last['rules']),
  }
}

/** Inside a transaction. */
export function putObservation(store: Store, of: SnapshotOf, at: number, observed: Observed): void {
  if (of !== '') return putSessionFact(store, PROJECT, factOf(of), observed)
  run(
    store.database,
    'insert or replace into observation (id, generation, tree, rules, at) values (1, ?, ?, ?, ?)',
    observed.generation,
    observed.tree,
    observed.rules,
    at,
  )
}

/** The next observation is a first one. */
export function forgetSnapshot(store: Store, of: Exclude<SnapshotOf, ''>): void {
  const { sql, bounds } = inSnapshot(of)
  write(store, () => {
    run(store.database, `delete from directory where ${sql}`, ...bounds)
    run(store.database, `delete from left_out where ${sql}`, ...bounds)
    dropSessionFact(store, PROJECT, factOf(of))
  })
}

function asBuffer(value: unknown): Buffer {
  const bytes = value as Uint8Array
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
