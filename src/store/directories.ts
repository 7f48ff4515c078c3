import { nameBytes } from '#disk'
import { directories } from './schema-seals.ts'
import { replaceSealed } from './seals.ts'
import type { Store } from './store.ts'

/**
 * Whose snapshot a row belongs to: '' is the project's own, `/DIRECTORY//` that of a directory
 * outside of it. It stands before the row's path. No path of the project begins with a slash, and no
 * path has two in a row, so that snapshots of nested directories do not mix.
 */
export type SnapshotOf = '' | `/${string}//`

export function snapshotOf(directory: string): Exclude<SnapshotOf, ''> {
  return `${directory as `/${string}`}//`
}

/** The rows of one snapshot, as a condition on `path`. */
export function inSnapshot(of: SnapshotOf): { sql: string; bounds: [Buffer, Buffer] } {
  if (of === '') return { sql: 'not (path >= ? and path < ?)', bounds: [SLASH, AFTER_SLASH] }
  const next = Buffer.concat([nameBytes(of).subarray(0, -1), AFTER_SLASH])
  return { sql: '(path >= ? and path < ?)', bounds: [nameBytes(of), next] }
}

const SLASH = Buffer.from('/')
const AFTER_SLASH = Buffer.from('0')

/** Keeps what was seen of one directory, in place of what was seen before. */
export function putDirectory({ database }: Store, path: Buffer, entries: Buffer): void {
  replaceSealed(database, directories, [path, entries])
}
