import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { durableDisk, type Stat } from './durable-disk.ts'
import { foldingOf, folds } from './folding.ts'
import { findListed, likeness } from './listed-name.ts'
import { nameBytes, nameText } from './names.ts'

/**
 * The canonical path of a file. Links in its directories are resolved, and on volumes that fold
 * names it is spelled as the directories list it. A link at the end stays, because it is an entry of
 * its own. Missing parts stay as given. `known` caches directories between calls.
 */
export function realPathOf(path: string, known = new Map<string, string>()): string {
  const parent = dirname(path)
  if (parent === path) return path
  const inParent = join(realDirectory(parent, known), path.slice(path.lastIndexOf('/') + 1))
  const stat = tryStat(inParent)
  const real = stat?.kind === 'symlink' ? inParent : (tryRealPath(inParent) ?? inParent)
  return spell(real, stat, known)
}

/**
 * The path in the spelling that the directories list, as far as it exists. Links stay. On volumes
 * that do not fold names it is the path itself, and nothing is listed.
 */
export function listedSpelling(path: string): string {
  return spell(path, tryStat(path), new Map())
}

function spell(path: string, there: Stat | null, known: Map<string, string>): string {
  const parent = dirname(path)
  const stat = there ?? tryStat(`${parent}/.`)
  if (stat === null || !folds(foldingOf(durableDisk, { path: parent, stat }))) return path
  return respell(path, known)
}

/** Whether two paths are the same directory, spelled differently at most. */
export function isSamePath(a: string, b: string): boolean {
  // Almost all pairs differ in more than their spelling.
  return a === b || (likeness(a) === likeness(b) && listedSpelling(a) === listedSpelling(b))
}

/** Whether names in a directory, if it exists, are compared without regard to case. */
export function ignoresCase(directory: string): boolean {
  const stat = durableDisk.stat(nameBytes(`${directory}/.`))
  return stat !== null && foldingOf(durableDisk, { path: directory, stat }).case
}

function respell(path: string, known: Map<string, string>): string {
  const parent = dirname(path)
  if (parent === path) return path
  const cached = known.get(spelledKey(parent))
  const above = cached ?? respell(parent, known)
  if (cached === undefined) known.set(spelledKey(parent), above)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const at = (each: string): Buffer => nameBytes(join(above, each))
  return join(above, findListed({ disk: durableDisk, at }, name) ?? name)
}

/** Apart from the keys of resolved directories in the same cache. */
function spelledKey(directory: string): string {
  return `${directory}/.`
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

function tryStat(path: string): Stat | null {
  try {
    return durableDisk.stat(nameBytes(path))
  } catch {
    return null
  }
}
