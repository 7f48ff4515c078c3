import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import { gitId } from './tree.ts'

/** A project's store as any SQLite client sees it. */
export interface StoreSeen {
  readonly newest: number
  /** The state of the newest operation. */
  readonly operation: string | null
  readonly isTidy: boolean
  readonly isCommitted: boolean
  /** Contents by the hash of their bytes, not by their stored id. */
  readonly contents: Map<string, string>
}

/** Reads the newest operation after `since`, and the unpacked contents. */
export function readStore(
  directory: string,
  since: number,
  which: 'newest' | 'all' = 'newest',
): StoreSeen {
  using database = new DatabaseSync(join(directory, 'store.db'), { readOnly: true })
  const newest = database
    .prepare('select id, state, tidy from operation where id > ? order by id desc')
    .get(since)
  const fact = database
    .prepare(`select 1 from session_fact where session = ? and name = 'committed'`)
    .get(String(newest?.['id'] ?? ''))
  const contents = new Map<string, string>()
  for (const row of database
    .prepare('select * from content order by rowid desc limit ?')
    .all(which === 'all' ? -1 : 20)) {
    const bytes = unpack(row)
    if (bytes !== null) contents.set(gitId(bytes), bytes.toString('utf8'))
  }
  return {
    newest: Number(newest?.['id'] ?? 0),
    operation: newest === undefined ? null : String(newest['state']),
    isTidy: newest === undefined || newest['tidy'] === 1,
    isCommitted: fact !== undefined,
    contents,
  }
}

/** The bytes of a row of `content`; null if they are in a separate file. */
export function unpack(row: Readonly<Record<string, unknown>>): Buffer | null {
  if (row['bytes'] === null) return null
  const packed = Buffer.from(row['bytes'] as Uint8Array)
  return row['encoding'] === 'zstd' ? zstdDecompressSync(packed) : packed
}

/** The bytes stored under an id, unchecked. */
export function readContent(directory: string, id: string): Buffer | null {
  using database = new DatabaseSync(join(directory, 'store.db'), { readOnly: true })
  const row = database.prepare('select * from content where id = ?').get(id)
  return row === undefined ? null : unpack(row)
}
