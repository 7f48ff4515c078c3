import { decodeRow, nameBytes, nameText } from '#disk'
import { all, one, run } from './database.ts'
import { directories } from './schema-seals.ts'
import { replaceSealed } from './seals.ts'
import { dropSessionFact, getSessionFact, putSessionFact } from './session-facts.ts'
import type { Store } from './store.ts'

/**
 * All SQL about snapshots. A snapshot is an encoded row per directory (see `encodeRow` in `disk`),
 * the paths that were left out, and one record of the whole.
 *
 * `SnapshotOf` prefixes the paths of a snapshot's rows: '' for the project's own, `/DIRECTORY//`
 * for a directory outside of it. No path of the project begins with a slash, and no path has two in
 * a row, so snapshots of nested directories do not mix.
 */
export type SnapshotOf = '' | `/${string}//`

export function snapshotOf(directory: string): Exclude<SnapshotOf, ''> {
  return `${directory as `/${string}`}//`
}

/** The rows of one snapshot, as a condition on `path`. */
function inSnapshot(of: SnapshotOf): { sql: string; bounds: [Buffer, Buffer] } {
  if (of === '') return { sql: 'not (path >= ? and path < ?)', bounds: [SLASH, AFTER_SLASH] }
  const next = Buffer.concat([nameBytes(of).subarray(0, -1), AFTER_SLASH])
  return { sql: '(path >= ? and path < ?)', bounds: [nameBytes(of), next] }
}

const SLASH = Buffer.from('/')
const AFTER_SLASH = Buffer.from('0')

export function countSnapshotRows({ database }: Store, of: SnapshotOf): number {
  const { sql, bounds } = inSnapshot(of)
  return Number(one(database, `select count(*) as n from directory where ${sql}`, ...bounds)!['n'])
}

/** In batches, so that scanning starts before all rows are loaded. */
export function* readSnapshotRows(
  store: Store,
  of: SnapshotOf,
): Iterable<{ readonly path: string; readonly row: Buffer }> {
  const { sql, bounds } = inSnapshot(of)
  const nextRows = `select rowid, cast(path as text) as text, entries from directory
    where rowid > ? and ${sql} order by rowid limit ?`
  for (let from = 0, got = ROWS_PER_BATCH; got === ROWS_PER_BATCH;) {
    const some = all(store.database, nextRows, from, ...bounds, ROWS_PER_BATCH)
    for (const { rowid, text, entries } of some) {
      const path = pathOf(store, Number(rowid), String(text)).slice(of.length)
      yield { path, row: asBuffer(entries) }
      from = Number(rowid)
    }
    got = some.length
  }
}

const ROWS_PER_BATCH = 512

/** Reading text costs half of reading a blob, but replaces bytes that are not UTF-8. */
function pathOf(store: Store, rowid: number, text: string): string {
  if (!text.includes('\ufffd')) return text
  const { path } = one(store.database, 'select path from directory where rowid = ?', rowid)!
  return nameText(asBuffer(path))
}

/**
 * Every content that a snapshot refers to. `outside` is the directory, if not the project's own.
 */
export function* contentsInSnapshots({ database }: Store): Iterable<{
  readonly path: string
  readonly content: string
  readonly outside: string | null
}> {
  for (const row of all(database, 'select path, entries from directory')) {
    const directory = nameText(asBuffer(row['path']))
    const cut = directory.indexOf('//')
    const outside = cut < 0 ? null : directory.slice(0, cut)
    for (const [name, { kind, id }] of decodeRow(asBuffer(row['entries'])).entries)
      if (kind === 'file' || kind === 'rules')
        yield { path: pathIn(directory, name), content: id, outside }
  }
}

/** Rows of directories outside of the project start with their root and two slashes. */
function pathIn(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`.replace(/\/{2,}/u, '/')
}

/** Replaces the row of one directory. Call inside a transaction. */
export function putSnapshotRow(store: Store, of: SnapshotOf, path: string, row: Buffer): void {
  replaceSealed(store.database, directories, [nameBytes(of + path), row])
}

export function dropSnapshotRow({ database }: Store, of: SnapshotOf, path: string): void {
  run(database, 'delete from directory where path = ?', nameBytes(of + path))
}

/** Every path that existed at the last observation but was not captured. */
export function readLeftOutPaths(store: Store, of: SnapshotOf): { path: string; why: string }[] {
  const { sql, bounds } = inSnapshot(of)
  const left = `select path, why from left_out where ${sql} order by path`
  return all(store.database, left, ...bounds).map((row) => ({
    path: nameText(asBuffer(row['path'])).slice(of.length),
    why: String(row['why']),
  }))
}

/** `why` is null if the path is captured now, or gone. */
export function putLeftOut(
  { database }: Store,
  of: SnapshotOf,
  path: string,
  why: string | null,
): void {
  const bytes = nameBytes(of + path)
  if (why === null) run(database, 'delete from left_out where path = ?', bytes)
  else run(database, 'insert or replace into left_out (path, why) values (?, ?)', bytes, why)
}

/** The record of one observation. */
export interface SnapshotRecord {
  /** Increases with each observation that found a change, by any process. */
  readonly generation: number
  readonly tree: string
  /** The ignore files outside the project at that time. */
  readonly rules: string
}

// The table `observation` holds only the project's own record; others are facts of the project.
const PROJECT = '*'
const factOf = (of: SnapshotOf): string => `snapshot ${of}`

export function readSnapshotRecord(store: Store, of: SnapshotOf): SnapshotRecord | null {
  if (of !== '')
    return (getSessionFact(store, PROJECT, factOf(of)) ?? null) as SnapshotRecord | null
  const last = one(store.database, 'select * from observation')
  if (last === undefined) return null
  return {
    generation: Number(last['generation']),
    tree: String(last['tree']),
    rules: String(last['rules']),
  }
}

/** Read before every observation, so it skips the rest of the record. */
export function storedGeneration(store: Store, of: SnapshotOf): number {
  if (of !== '') return readSnapshotRecord(store, of)?.generation ?? 0
  return Number(one(store.database, 'select generation from observation')?.['generation'] ?? 0)
}

/** Call inside a transaction. */
export function putSnapshotRecord(
  store: Store,
  of: SnapshotOf,
  at: number,
  { generation, tree, rules }: SnapshotRecord,
): void {
  if (of !== '') return putSessionFact(store, PROJECT, factOf(of), { generation, tree, rules })
  run(
    store.database,
    'insert or replace into observation (id, generation, tree, rules, at) values (1, ?, ?, ?, ?)',
    generation,
    tree,
    rules,
    at,
  )
}

/** Call inside a transaction. Makes the next observation a first one. */
export function dropSnapshot(store: Store, of: Exclude<SnapshotOf, ''>): void {
  const { sql, bounds } = inSnapshot(of)
  run(store.database, `delete from directory where ${sql}`, ...bounds)
  run(store.database, `delete from left_out where ${sql}`, ...bounds)
  dropSessionFact(store, PROJECT, factOf(of))
}

function asBuffer(value: unknown): Buffer {
  const bytes = value as Uint8Array
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
