import type { Disk } from './durable-disk.ts'
import { foldingOf, folds } from './folding.ts'
import { OWN } from './names.ts'
import type { PinnedRoot } from './pinned-root.ts'

const views = new WeakMap<PinnedRoot, PinnedRoot>()

/**
 * The same root, where a name exists only as the directory lists it. A volume that disregards case
 * finds `Foo` under `foo` too, so a lookup cannot tell whether one was renamed to the other. On
 * other volumes this is the root itself, and costs nothing.
 */
export function exactRoot(root: PinnedRoot): PinnedRoot {
  const known = views.get(root)
  if (known !== undefined) return known
  const made = folds(foldingOf(root.disk, root))
    ? root.viewOn(exactDisk(root.disk), exactRoot)
    : root
  views.set(root, made)
  if (made !== root) views.set(made, made)
  return made
}

const SLASH = 0x2f
const DOT = Buffer.from('.')
const OWN_START = Buffer.from(OWN)

/** Names that Retake makes up are never spelled in another way. */
function needsNoListing(name: Buffer): boolean {
  return name.equals(DOT) || name.subarray(0, OWN_START.length).equals(OWN_START)
}

function exactDisk(disk: Disk): Disk {
  const isListed = rememberListings(disk)
  const isExact = (path: Buffer): boolean => {
    const slash = path.lastIndexOf(SLASH)
    const name = path.subarray(slash + 1)
    return needsNoListing(name) || isListed(path.subarray(0, slash + 1), name)
  }
  const exact = (path: Buffer): Buffer => {
    if (isExact(path)) return path
    throw Object.assign(new Error('ENOENT: the directory lists another spelling'), {
      code: 'ENOENT',
    })
  }
  return {
    ...disk,
    stat(path) {
      const found = disk.stat(path)
      return found !== null && isExact(path) ? found : null
    },
    openFile: (path) => disk.openFile(exact(path)),
    openDirectory: (path, links) => disk.openDirectory(exact(path), links),
    rename: (from, to) => disk.rename(exact(from), to),
    unlink: (path) => disk.unlink(exact(path)),
    removeDirectory: (path) => disk.removeDirectory(exact(path)),
  }
}

/** A directory that changed within this time may change again with the same times. In ms. */
const SETTLED_AFTER = 3000
const MAX_LISTINGS = 64

/** Lists a directory again only if it changed, or has just changed. */
function rememberListings(disk: Disk): (directory: Buffer, name: Buffer) => boolean {
  const listings = new Map<string, ReadonlySet<string>>()
  return (directory, name) => {
    const here = Buffer.concat([directory, DOT])
    const stat = disk.stat(here)
    if (stat === null) return false
    const key = [stat.device, stat.inode, stat.modified, stat.changed].join(' ')
    let names = listings.get(key)
    if (names === undefined) {
      names = new Set(disk.list(here).map((each) => each.toString('latin1')))
      const latest = stat.modified > stat.changed ? stat.modified : stat.changed
      if (Number(latest / 1_000_000n) < Date.now() - SETTLED_AFTER) listings.set(key, names)
      for (const oldest of listings.keys())
        if (listings.size > MAX_LISTINGS) listings.delete(oldest)
    }
    return names.has(name.toString('latin1'))
  }
}
