import { Failure } from '#failure'
import { isSameFile, type Disk, type Stat } from './durable-disk.ts'
import { maxHeld, USUALLY_HELD } from './max-held.ts'
import { nameBytes, spellsGit, splitPath } from './names.ts'

/** A directory in which names can be looked up. */
export interface Directory {
  readonly disk: Disk
  /** The path of a name in this directory, for calls to the disk. */
  at(name: string): Buffer
}

/**
 * A directory held by its file descriptor. Names are looked up in this very directory, even if a
 * parent is renamed or replaced by a symlink.
 */
export interface PinnedDirectory extends Directory {
  readonly file: number
  readonly stat: Stat
}

export interface PinnedRoot extends PinnedDirectory {
  readonly path: string
  /** Directories that must never be entered, such as Retake's own store inside the project. */
  readonly never: readonly Stat[]
  /** The path that the kernel reports. Empty without /proc. */
  readonly whole: Buffer
  readonly held: Held
  readonly pin: Pin
  /**
   * Directories outside of the project. Their files have absolute paths. Each is walked like a
   * root.
   */
  readonly annexes: PinnedRoot[]
  /** The same root on another view of the disk, with open directories of its own. */
  viewOn(disk: Disk, viewOfAnnex: (annex: PinnedRoot) => PinnedRoot): PinnedRoot
  /** Closes most of the cached directories, after an operation that needed many. */
  release(): void
  /** How a view sees annexes; the root itself sees them as they are. */
  readonly viewOfAnnex?: (annex: PinnedRoot) => PinnedRoot
  close(): void
}

/** A cache of open directories: opening each one again would double the number of calls. */
interface Held {
  /** By path, least recently used first. */
  readonly byPath: Map<string, HeldDirectory>
  /**
   * Descriptors that are no longer at their path. They are closed when no walk is running, because
   * the kernel reuses the number of a closed one.
   */
  readonly retired: number[]
  walks: number
}

interface HeldDirectory extends PinnedDirectory {
  /** `link` is the /proc link that names this open directory, `whole` what it must say. */
  readonly link: Buffer
  readonly whole: Buffer
}

/** Opens a project's root. Its own path may contain links, because the user chose it. */
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
  const views: PinnedRoot[] = []
  return {
    ...pin(disk, file, stat, bytes),
    path,
    never: options.never ?? [],
    whole: hasProc ? disk.readLink(linkOf(file)) : Buffer.alloc(0),
    held,
    pin,
    annexes: [],
    viewOn(other, viewOfAnnex) {
      const view = { ...viewOf(this, other), viewOfAnnex }
      views.push(view)
      return view
    },
    release() {
      for (const each of [...views, ...this.annexes]) each.release()
      if (held.walks === 0) closeUnused(disk, held, USUALLY_HELD)
    },
    close() {
      for (const view of views.splice(0)) view.close()
      for (const annex of this.annexes.splice(0)) annex.close()
      closeUnused(disk, held, 0)
      disk.close(file)
    },
  }
}

function viewOf(root: PinnedRoot, disk: Disk): PinnedRoot {
  const held: Held = { byPath: new Map(), retired: [], walks: 0 }
  return {
    ...root,
    disk,
    held,
    // Another function than the root's, so that every walk checks each part with the view's disk.
    pin: (...pinned) => root.pin(...pinned),
    release() {
      if (held.walks === 0) closeUnused(root.disk, held, USUALLY_HELD)
    },
    close: () => closeUnused(root.disk, held, 0),
  }
}

/** The root that contains a path: the project's, or for an absolute path the nearest annex. */
export function rootOfPath(root: PinnedRoot, path: string): PinnedRoot {
  if (!path.startsWith('/')) return root
  const around = root.annexes.filter((annex) => path === annex.path || isBelow(annex.path, path))
  const found = around.toSorted((a, b) => b.path.length - a.path.length)[0]
  // Looks like a missing directory, so that an operation in a deleted annex can still be recovered.
  if (found === undefined)
    throw Object.assign(new Error(`ENOENT: ${path} lies in no directory that is open`), {
      code: 'ENOENT',
    })
  return found
}

/** The annex at or below an absolute path. The parents of an annex are never entered. */
export function annexBelow(root: PinnedRoot, path: string): PinnedRoot | null {
  if (!path.startsWith('/')) return null
  return root.annexes.find((annex) => path === annex.path || isBelow(path, annex.path)) ?? null
}

function isBelow(directory: string, path: string): boolean {
  return path.startsWith(`${directory}/`)
}

/**
 * Walks to a directory of the project ('' is the root) part by part and runs `use` there. Never
 * goes through a link, into another file system, a `.git` or a forbidden directory. Checking a
 * whole path first is unsafe: another program may swap a part before it is used.
 */
export function inDirectory<T>(
  root: PinnedRoot,
  path: string,
  use: (directory: PinnedDirectory) => T,
): T {
  const own = rootOfPath(root, path)
  if (own !== root)
    return inDirectory(root.viewOfAnnex?.(own) ?? own, path.slice(own.path.length + 1), use)
  const { held, disk } = root
  held.walks += 1
  try {
    return use(stillInPlace(root, path) ?? walk(root, splitPath(path)))
  } finally {
    held.walks -= 1
    if (held.walks === 0) closeUnused(disk, held, maxHeld())
  }
}

/** Enters the parts below the nearest cached directory that is still in its place. */
function walk(root: PinnedRoot, parts: readonly string[]): PinnedDirectory {
  const part = parts.at(-1)
  if (part === undefined) return root
  const path = parts.join('/')
  if (spellsGit(part)) throw isProtected(path)
  const above = parts.slice(0, -1)
  return enter(root, stillInPlace(root, above.join('/')) ?? walk(root, above), part, path)
}

/**
 * The cached directory of an earlier walk, if its path is unchanged: the kernel's name for it
 * contains no link, and looking it up finds the same inode and no mount. Two calls at any depth.
 * Null if that is not certain; then each part is checked.
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

function closeUnused(disk: Disk, { byPath, retired }: Held, keep: number): void {
  for (const [path, { file }] of byPath) {
    if (byPath.size <= keep) break
    byPath.delete(path)
    retired.push(file)
  }
  for (let file = retired.pop(); file !== undefined; file = retired.pop()) disk.close(file)
}

/**
 * Enters one part of a path. Reuses an open directory only if it still has this name: one that was
 * moved out of the project must not be written to.
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
      ? new Failure('mount-crossed', `${path} is on another file system.`, {
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

/** Like `inDirectory`, but returns null if the directory is missing, or if it is a link or file. */
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

// Without /proc (macOS) only the path is available. Comparing before each use leaves a gap of
// microseconds, and closing it would need native code.
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
