import { nameText } from '#disk'
import { all, one, readTogether, type Store } from '#store'
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
export function loadTable(store: Store, tell: Tell = () => () => {}): Table | null {
  return readTogether(store.database, () => readTable(store, tell))
}

function readTable(store: Store, tell: Tell): Table | null {
  const last = one(store.database, 'select * from observation')
  if (last === undefined) return null
  const rows = new Map<string, Buffer>()
  const leftOut = new Map<string, LeftOutWhy>()
  const counted = one(store.database, 'select count(*) as n from directory')!
  const tellRow = tell(Number(counted['n']))
  // Some at a time: who is told begins with them while others are still being read.
  for (let from = 0, got = PER_READ; got === PER_READ;) {
    const some = all(store.database, NEXT_ROWS, from, PER_READ)
    for (const { rowid, text, entries } of some) {
      const path = pathOf(store, Number(rowid), String(text))
      const row = asBuffer(entries)
      rows.set(path, row)
      tellRow(path, row)
      from = Number(rowid)
    }
    got = some.length
  }
  for (const { path, why } of all(store.database, 'select path, why from left_out'))
    leftOut.set(nameText(asBuffer(path)), String(why) as LeftOutWhy)
  return {
    rows,
    leftOut,
    generation: Number(last['generation']),
    tree: String(last['tree']),
    rules: String(last['rules']),
  }
}

const PER_READ = 512
const NEXT_ROWS = `select rowid, cast(path as text) as text, entries from directory
  where rowid > ? order by rowid limit ?`

/** A text costs half of what a blob does. But where bytes are not UTF-8 it is not the name's. */
function pathOf(store: Store, rowid: number, text: string): string {
  if (!text.includes('\ufffd')) return text
  const { path } = one(store.database, 'select path from directory where rowid = ?', rowid)!
  return nameText(asBuffer(path))
}

/** All that existed at the last observation and is not in it, by path. */
export function readLeftOut(store: Store): { path: ProjectPath; why: LeftOutWhy }[] {
  return all(store.database, 'select path, why from left_out order by path').map((row) => ({
    path: nameText(asBuffer(row['path'])) as ProjectPath,
    why: String(row['why']) as LeftOutWhy,
  }))
}

export function storedGeneration(store: Store): number {
  return Number(one(store.database, 'select generation from observation')?.['generation'] ?? 0)
}

function asBuffer(value: unknown): Buffer {
  const bytes = value as Uint8Array
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
