import { errnoOf, isSameFile } from './durable-disk.ts'
import type { PinnedDirectory } from './pinned-root.ts'

/** One name in one pinned directory. */
export interface Spot {
  readonly directory: PinnedDirectory
  readonly name: string
}

/**
 * Moves aside whatever stands there at this very moment, also a save that came in a microsecond
 * ago: checking first and replacing afterwards loses such saves. An aside that is already there is
 * never overwritten.
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

/** What link(2) says where it does not work, or not for this file. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'])

/** Gives a name to what lies at `from` without ever replacing what somebody put there meanwhile. */
export function place(from: Spot, to: Spot): 'placed' | 'occupied' {
  const { disk } = from.directory
  const what = disk.stat(at(from))
  try {
    if (what?.kind === 'symlink') placeSymlink(from, to)
    else disk.link(at(from), at(to))
    return 'placed'
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return isSameFile(what, disk.stat(at(to))) ? 'placed' : 'occupied'
  }
}

function placeSymlink(from: Spot, to: Spot): void {
  const { disk } = from.directory
  // Outside Linux link(2) follows a symlink and would give the name to what it points at.
  if (process.platform === 'linux')
    try {
      disk.link(at(from), at(to))
      return
    } catch (error) {
      if (!NO_LINKS.has(errnoOf(error) ?? '')) throw error
    }
  disk.symlink(disk.readLink(at(from)), at(to))
}

/**
 * Puts back what was moved aside. Where hard links do not work (another owner, a directory, an old
 * file system) only a rename is left, and it is done only while the name is free.
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

/** Whether hard links work here; without them nothing can be placed without replacing. */
export function supportsLinks(directory: PinnedDirectory, from: string, probe: string): boolean {
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
