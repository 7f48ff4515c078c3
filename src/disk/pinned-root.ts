import { Failure } from '#failure'
import { isSameFile, type Disk, type Stat } from './durable-disk.ts'
import { nameBytes, spellsGit, splitPath } from './names.ts'

/**
 * A directory held by its open file: whatever is renamed or swapped for a symlink above it, names
 * are looked up in this very directory.
 */
export interface PinnedDirectory {
  readonly disk: Disk
  readonly file: number
  readonly stat: Stat
  /** The path to give to the disk for a name in this directory. */
  at(name: string): Buffer
}

export interface PinnedRoot extends PinnedDirectory {
  readonly path: string
  /** Directories that must never be entered, such as Retake's own store inside the project. */
  readonly never: readonly Stat[]
  /** What the kernel calls it; empty where it does not tell. */
  readonly whole: Buffer
  readonly held: Held
  readonly pin: Pin
  /** Directories elsewhere whose files are named by absolute paths. Each is walked as a root is. */
  readonly annexes: PinnedRoot[]
  close(): void
}

/** Directories that stay open between two walks: opening each again would double all calls. */
interface Held {
  /** By path, the longest unused first. */
  readonly byPath: Map<string, HeldDirectory>
  /** No longer at its path; closed when nobody can be using it: its number is given out again. */
  readonly retired: number[]
  walks: number
}

interface HeldDirectory extends PinnedDirectory {
  /** Where the kernel says what this open file is called, and what it says while it is in place. */
  readonly link: Buffer
  readonly whole: Buffer
}

/** As many as the directories of a large operation, and far from what a process may open. */
const MOST_HELD = 256

/** Opens a project's root. Its own path may lead through links: it is the user's to choose. */
export function pinRoot(
  disk: Disk,
  path: string,
  options: { never?: readonly Stat[] } = {},
): PinnedRoot {
  const bytes = nameBytes(path)
  const file = disk.openDirectory(bytes, 'follow')
  const stat = disk.statOpen(file)
  const held: Held = { byPath: new Map(), retired: [], walks: 0 }
  const hasProc = isSameFile(disk.stat(Buffer.from(`/proc/self/fd/${file}/.`)), stat)
  const pin = hasProc ? pinByFile : pinByPath
  return {
    ...pin(disk, file, stat, bytes),
    path,
    never: options.never ?? [],
    whole: hasProc ? disk.readLink(linkOf(file)) : Buffer.alloc(0),
    held,
    pin,
    annexes: [],
    close() {
      for (const annex of this.annexes.splice(0)) annex.close()
      letGo(disk, held, 0)
      disk.close(file)
    },
  }
}

/** The root that a path lies in: the project's, or for an absolute path the annex around it. */
export function rootOfPath(root: PinnedRoot, path: string): PinnedRoot {
  if (!path.startsWith('/')) return root
  const around = root.annexes.filter((annex) => path === annex.path || isBelow(annex.path, path))
  const found = around.toSorted((a, b) => b.path.length - a.path.length)[0]
  // As a directory that is gone: an operation in one that was deleted since must still be recovered.
  if (found === undefined)
    throw Object.assign(new Error(`ENOENT: ${path} lies in no directory that is open`), {
      code: 'ENOENT',
    })
  return found
}

/** The annex at an absolute path or below it. What lies above an annex is never entered. */
export function annexBelow(root: PinnedRoot, path: string): PinnedRoot | null {
  if (!path.startsWith('/')) return null
  return root.annexes.find((annex) => path === annex.path || isBelow(path, annex.path)) ?? null
}

function isBelow(directory: string, path: string): boolean {
  return path.startsWith(`${directory}/`)
}

/**
 * Walks to a directory of the project ('' is the root) one part at a time, never through a link,
 * into another file system, a `.git` or a forbidden directory, and runs `use` there. Checking a
 * whole path and then using it loses against anyone who swaps a part in between.
 */
export function inDirectory<T>(
  root: PinnedRoot,
  path: string,
  use: (directory: PinnedDirectory) => T,
): T {
  const own = rootOfPath(root, path)
  if (own !== root) return inDirectory(own, path.slice(own.path.length + 1), use)
  const { held, disk } = root
  held.walks += 1
  try {
    const known = stillInPlace(root, path)
    if (known !== null) return use(known)
    let here: PinnedDirectory = root
    let walked = ''
    for (const part of splitPath(path)) {
      if (spellsGit(part)) throw isProtected(path)
      walked = walked === '' ? part : `${walked}/${part}`
      here = enter(root, here, part, walked)
    }
    return use(here)
  } finally {
    held.walks -= 1
    if (held.walks === 0) letGo(disk, held, MOST_HELD)
  }
}

/**
 * The directory of a former walk, if it is held open and nothing about its path has changed: the
 * name the kernel has for it leads through no link, and looking it up ends in it and not in a mount.
 * Two calls at any depth. Null when that cannot be said; then every part is looked at.
 */
function stillInPlace(root: PinnedRoot, path: string): PinnedDirectory | null {
  const { disk, held } = root
  const known = held.byPath.get(path)
  if (known === undefined || root.pin !== pinByFile) return null
  if (!disk.readLink(known.link).equals(known.whole)) return null
  if (!isSameFile(disk.stat(root.at(path)), known.stat)) return null
  held.byPath.delete(path)
  held.byPath.set(path, known)
  return known
}

function letGo(disk: Disk, { byPath, retired }: Held, keep: number): void {
  for (const [path, { file }] of byPath) {
    if (byPath.size <= keep) break
    byPath.delete(path)
    retired.push(file)
  }
  for (let file = retired.pop(); file !== undefined; file = retired.pop()) disk.close(file)
}

/**
 * One part further. A directory that is held open is used again only if it still has this name:
 * one that was moved out of the project meanwhile must not be written to.
 */
function enter(
  root: PinnedRoot,
  from: PinnedDirectory,
  part: string,
  path: string,
): PinnedDirectory {
  const { disk } = root
  const { byPath, retired } = root.held
  const where = from.at(part)
  const known = byPath.get(path)
  if (known !== undefined) {
    byPath.delete(path)
    const isStill = isSameFile(disk.stat(where), known.stat)
    if (isStill) byPath.set(path, known)
    else retired.push(known.file)
    if (isStill) return known
  }
  const file = disk.openDirectory(where)
  const stat = disk.statOpen(file)
  const refusal =
    stat.device !== root.stat.device
      ? new Failure('mount-crossed', `${path} lies on another file system.`, {
          hint: 'Open that directory as a project of its own.',
        })
      : root.never.some((forbidden) => isSameFile(forbidden, stat))
        ? isProtected(path)
        : null
  if (refusal !== null) {
    disk.close(file)
    throw refusal
  }
  const entered = root.pin(disk, file, stat, where)
  const whole = Buffer.concat([root.whole, SLASH, nameBytes(path)])
  byPath.set(path, { ...entered, link: linkOf(file), whole })
  return entered
}

/** The same, or null when the directory is not there, or a link or file stands in its place. */
export function tryInDirectory<T>(
  root: PinnedRoot,
  path: string,
  use: (directory: PinnedDirectory) => T,
): T | null {
  let entered = false
  try {
    return inDirectory(root, path, (directory) => {
      entered = true
      return use(directory)
    })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (!entered && (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP')) return null
    throw error
  }
}

const SLASH = Buffer.from('/')

function linkOf(file: number): Buffer {
  return Buffer.from(`/proc/self/fd/${file}`)
}

type Pin = (disk: Disk, file: number, stat: Stat, path: Buffer) => PinnedDirectory

const pinByFile: Pin = (disk, file, stat) => {
  const prefix = Buffer.from(`/proc/self/fd/${file}/`)
  return { disk, file, stat, at: (name) => Buffer.concat([prefix, nameBytes(name)]) }
}

// Without /proc (macOS) the path is all there is. Comparing before each use leaves a gap of
// microseconds; nothing better exists without native code.
const pinByPath: Pin = (disk, file, stat, path) => {
  const slash = Buffer.concat([path, SLASH])
  return {
    disk,
    file,
    stat,
    at(name) {
      if (!isSameFile(disk.stat(Buffer.concat([slash, Buffer.from('.')])), stat))
        throw Object.assign(new Error('ENOENT: the directory was moved'), { code: 'ENOENT' })
      return Buffer.concat([slash, nameBytes(name)])
    },
  }
}

function isProtected(path: string): Failure {
  return new Failure('path-protected', `${path} is never written by Retake.`)
}
