import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  statfsSync,
  symlinkSync,
  unlinkSync,
  writeSync,
  type BigIntStats,
} from 'node:fs'
import { promisify } from 'node:util'

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, W_OK } =
  constants

/** The lstat of a file. It never follows a link. */
export interface Stat {
  readonly kind: 'file' | 'directory' | 'symlink' | 'special'
  readonly device: bigint
  readonly inode: bigint
  readonly links: number
  readonly size: number
  /** Permission bits with setuid, setgid and sticky. */
  readonly mode: number
  readonly owner: number
  readonly group: number
  /** Nanoseconds. `born` is 0 if the file system does not record it. */
  readonly modified: bigint
  readonly changed: bigint
  readonly born: bigint
}

/**
 * Every write goes through this interface, one method per system call, so that a test can crash or
 * fail at each of them (`faultyDisk`). Paths are bytes, because a name need not be UTF-8. All
 * methods but one are synchronous: SQLite is, and a crash between two calls must be reproducible.
 */
export interface Disk {
  openFile(path: Buffer): number
  openDirectory(path: Buffer, links?: 'follow'): number
  openAppend(path: Buffer): number
  close(file: number): void
  statOpen(file: number): Stat
  stat(path: Buffer): Stat | null
  read(file: number, into: Buffer, position: number): number
  list(path: Buffer): Buffer[]
  readLink(path: Buffer): Buffer
  isWritable(path: Buffer): boolean
  space(path: Buffer): Space

  create(path: Buffer, mode: number): number
  write(file: number, bytes: Buffer): number
  truncate(file: number, size: number): void
  changeMode(file: number, mode: number): void
  changeOwner(file: number, owner: number, group: number): void
  sync(file: number): void
  /** An asynchronous sync. With many at once, the disk writes them together. */
  syncSoon(file: number): Promise<void>
  rename(from: Buffer, to: Buffer): void
  link(from: Buffer, to: Buffer): void
  symlink(target: Buffer, path: Buffer): void
  unlink(path: Buffer): void
  makeDirectory(path: Buffer, mode: number): void
  removeDirectory(path: Buffer): void
}

export interface Space {
  readonly free: number
  /** Free inodes. Infinity if the file system allocates them on demand. */
  readonly freeFiles: number
  /** The file system's magic number, as listed in statfs(2). */
  readonly type: number
}

/** The calls that change something, in the order of the interface above. */
export const mutatingCalls = [
  'create',
  'write',
  'truncate',
  'changeMode',
  'changeOwner',
  'sync',
  'syncSoon',
  'rename',
  'link',
  'symlink',
  'unlink',
  'makeDirectory',
  'removeDirectory',
] as const satisfies readonly (keyof Disk)[]

export const durableDisk: Disk = {
  // O_NONBLOCK, because a FIFO that replaced the file after the lstat would block the open forever.
  openFile: (path) => openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
  openDirectory: (path, links) =>
    openSync(path, O_RDONLY | O_DIRECTORY | (links === 'follow' ? 0 : O_NOFOLLOW)),
  openAppend: (path) => openSync(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK),
  close: (file) => closeSync(file),
  statOpen: (file) => toStat(fstatSync(file, { bigint: true })),
  stat(path) {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stat === undefined ? null : toStat(stat)
  },
  read: (file, into, position) => readSync(file, into, 0, into.length, position),
  list: (path) => readdirSync(path, { encoding: 'buffer' }),
  readLink: (path) => readlinkSync(path, { encoding: 'buffer' }),
  isWritable(path) {
    try {
      accessSync(path, W_OK)
      return true
    } catch {
      return false
    }
  },
  space(path) {
    const { bavail, bsize, ffree, files, type } = statfsSync(path)
    return { free: bavail * bsize, freeFiles: files === 0 ? Infinity : ffree, type }
  },

  create: (path, mode) => openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode),
  write: (file, bytes) => writeSync(file, bytes),
  truncate: (file, size) => ftruncateSync(file, size),
  changeMode: (file, mode) => fchmodSync(file, mode),
  changeOwner: (file, owner, group) => fchownSync(file, owner, group),
  sync: (file) => fsyncSync(file),
  syncSoon: promisify(fsync),
  rename: (from, to) => renameSync(from, to),
  link: (from, to) => linkSync(from, to),
  symlink: (target, path) => symlinkSync(target, path),
  unlink: (path) => unlinkSync(path),
  makeDirectory: (path, mode) => mkdirSync(path, mode),
  removeDirectory: (path) => rmdirSync(path),
}

function toStat(stat: BigIntStats): Stat {
  return {
    kind: stat.isFile()
      ? 'file'
      : stat.isDirectory()
        ? 'directory'
        : stat.isSymbolicLink()
          ? 'symlink'
          : 'special',
    device: stat.dev,
    inode: stat.ino,
    links: Number(stat.nlink),
    size: Number(stat.size),
    mode: Number(stat.mode & 0o7777n),
    owner: Number(stat.uid),
    group: Number(stat.gid),
    modified: stat.mtimeNs,
    changed: stat.ctimeNs,
    born: stat.birthtimeNs,
  }
}

export function isSameFile(a: Stat | null, b: Stat | null): boolean {
  return a !== null && b !== null && a.device === b.device && a.inode === b.inode
}

/** The errno of a failed system call, such as `ENOENT`; undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return typeof code === 'string' && /^E[A-Z0-9]+$/u.test(code) ? code : undefined
}
