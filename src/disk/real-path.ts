import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nameBytes, nameText } from './names.ts'

/**
 * The one path of a file: links in its directories are resolved, and on volumes that fold case it
 * gets the spelling that is listed. A link at the end stays, because it is an entry of its own.
 * Parts that do not exist stay as they are written. `known` remembers directories between calls.
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

/** Null when it does not exist, leads nowhere or may not be looked at. */
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
