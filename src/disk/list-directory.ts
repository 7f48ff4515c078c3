import { lstatSync, readdirSync, statSync, type BigIntStats } from 'node:fs'
import { diskFailure } from './disk-failure.ts'

export interface Entry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'other'
}

/** The entries of a directory. Empty if it does not exist or cannot be read. */
export function listDirectory(path: string): Entry[] {
  try {
    return readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other',
    }))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // Other errors, such as too many open files, must not look like an empty directory.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return []
    throw diskFailure(cause, path)
  }
}

/** The stat of a path, following links. Null if nothing is there. */
export function statPath(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/** Like `statPath`, but does not follow a link at the path itself. */
export function lstatPath(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
