import { errnoOf, isSameFile } from './durable-disk.ts'
import type { Directory } from './pinned-root.ts'

/** One name in one directory. */
export interface Spot {
  readonly directory: Directory
  readonly name: string
}

/**
 * Moves aside the present file, even if a program saved it a microsecond ago. Checking first and
 * replacing afterwards would lose such saves. Never overwrites an existing aside file.
 */
export function moveAside(from: Spot, to: Spot): 'moved' | 'gone' {
  const { disk } = from.directory
  if (disk.stat(at(to)) !== null)
    throw Object.assign(new Error(`EEXIST: ${to.name}`), { code: 'EEXIST' })
  try {
    disk.rename(at(from), at(to))
    return 'moved'
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return 'gone'
    throw error
  }
}

/** Errors of link(2) if hard links do not work here, or not for this file. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'])

/**
 * Links `from` to the name `to`. Never replaces a file that another program created there
 * meanwhile.
 */
export function place(from: Spot, to: Spot): 'placed' | 'occupied' {
  const { disk } = from.directory
  const isSymlink = () => disk.stat(at(from))?.kind === 'symlink'
  try {
    // Outside Linux, link(2) follows a symlink and would link its target.
    if (process.platform !== 'linux' && isSymlink()) return copySymlink(from, to)
    disk.link(at(from), at(to))
    return 'placed'
  } catch (error) {
    const errno = errnoOf(error) ?? ''
    if (errno === 'EEXIST')
      return isSameFile(disk.stat(at(from)), disk.stat(at(to))) ? 'placed' : 'occupied'
    if (!NO_LINKS.has(errno) || !isSymlink()) throw error
    return copySymlink(from, to)
  }
}

function copySymlink(from: Spot, to: Spot): 'placed' | 'occupied' {
  const { disk } = from.directory
  try {
    disk.symlink(disk.readLink(at(from)), at(to))
    return 'placed'
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return 'occupied'
    throw error
  }
}

/**
 * Puts back the file that was moved aside. Where hard links do not work (another owner, a
 * directory, an old file system) it falls back to a rename, and only while the name is free.
 */
export function putBack(aside: Spot, to: Spot): 'back' | 'occupied' {
  const { disk } = aside.directory
  try {
    if (place(aside, to) === 'occupied') return 'occupied'
  } catch (error) {
    if (!NO_LINKS.has(errnoOf(error) ?? '')) throw error
    if (disk.stat(at(to)) !== null) return 'occupied'
    disk.rename(at(aside), at(to))
    return 'back'
  }
  disk.unlink(at(aside))
  return 'back'
}

function at(spot: Spot): Buffer {
  return spot.directory.at(spot.name)
}

/**
 * Whether hard links work here. Without them a file cannot be placed safely: a rename would
 * overwrite.
 */
export function supportsLinks(directory: Directory, from: string, probe: string): boolean {
  const { disk } = directory
  try {
    disk.link(directory.at(from), directory.at(probe))
  } catch (error) {
    if (NO_LINKS.has(errnoOf(error) ?? '')) return false
    throw error
  }
  disk.unlink(directory.at(probe))
  return true
}
