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
  close(): void
}

/** Opens a project's root. Its own path may lead through links: it is the user's to choose. */
export function pinRoot(
  disk: Disk,
  path: string,
  options: { never?: readonly Stat[] } = {},
): PinnedRoot {
  const bytes = nameBytes(path)
  const file = disk.openDirectory(bytes, 'follow')
  return {
    ...pinned(disk, file, bytes),
    path,
    never: options.never ?? [],
    close: () => disk.close(file),
  }
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
  const { disk } = root
  const opened: number[] = []
  try {
    let here: PinnedDirectory = root
    for (const part of splitPath(path)) {
      if (spellsGit(part)) throw isProtected(path)
      const where = here.at(part)
      const file = disk.openDirectory(where)
      opened.push(file)
      here = pinned(disk, file, where)
      if (here.stat.device !== root.stat.device)
        throw new Failure('mount-crossed', `${path} lies on another file system.`, {
          hint: 'Open that directory as a project of its own.',
        })
      if (root.never.some((forbidden) => isSameFile(forbidden, here.stat))) throw isProtected(path)
    }
    return use(here)
  } finally {
    for (const file of opened.toReversed()) disk.close(file)
  }
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

function pinned(disk: Disk, file: number, path: Buffer): PinnedDirectory {
  const stat = disk.statOpen(file)
  const throughProc = Buffer.from(`/proc/self/fd/${file}/`)
  if (isSameFile(disk.stat(Buffer.concat([throughProc, Buffer.from('.')])), stat))
    return { disk, file, stat, at: (name) => Buffer.concat([throughProc, nameBytes(name)]) }
  // Without /proc (macOS) the path is all there is. Comparing before each use leaves a gap of
  // microseconds; nothing better exists without native code.
  const slash = Buffer.concat([path, Buffer.from('/')])
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
