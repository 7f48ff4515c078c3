import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nameBytes, nameText } from './names.ts'

/**
 * The canonical path of a file. Links in its directories are resolved, and on case-insensitive
 * volumes it gets the stored spelling. A link at the end stays, because it is an entry of its own.
 * Missing parts stay as given. `known` caches directories between calls.
 */
export function realPathOf(path: string, known = new Map<string, string>()): string {
  const parent = dirname(path)
  if (parent === path) return path
  const inParent = join(realDirectory(parent, known), path.slice(path.lastIndexOf('/') + 1))
  return isLink(inParent) ? inParent : (tryRealPath(inParent) ?? inParent)
}

function realDirectory(path: string, known: Map<string, string>): string {
  const cached = known.get(path)
  if (cached !== undefined) return cached
  const parent = dirname(path)
  const real =
    tryRealPath(path) ??
    (parent === path
      ? path
      : join(realDirectory(parent, known), path.slice(path.lastIndexOf('/') + 1)))
  known.set(path, real)
  return real
}

/** Null if the path does not exist, is a broken link or cannot be accessed. */
function tryRealPath(path: string): string | null {
  try {
    return nameText(realpathSync.native(nameBytes(path), 'buffer'))
  } catch {
    return null
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(nameBytes(path), { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch {
    return false
  }
}
