import { lstatSync, readdirSync, statSync, type BigIntStats } from 'node:fs'
import { diskFailure } from './disk-failure.ts'

export interface Entry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'other'
}

/** The entries of a directory; none when it is not there or may not be read. */
export function listDirectory(path: string): Entry[] {
  try {
    return readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other',
    }))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // Anything else, such as too many open files, is no empty directory.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return []
    throw diskFailure(cause, path)
  }
}

/** What stands at a path, following links; null when nothing does. */
export function statPath(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/** The same without following a link at the path itself. */
export function lstatPath(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
