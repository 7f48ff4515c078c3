import { spawnSync } from 'node:child_process'
import { listDirectory, readSmallFile, statPath } from '#disk'

const DIRECTORY = 'thread-writer-locks'
const NAME = /^([0-9a-f]{8}-[0-9a-f-]{27})\.lock$/
const MAX_BYTES = 16 * 1024 * 1024

/** A process that may write a session. */
export interface LockHolder {
  readonly session: string
  /** 0 if it runs where this process cannot see it, as in another container. */
  readonly pid: number
}

/**
 * Which processes hold the lock of which session. Codex locks `thread-writer-locks/ID.lock` while a
 * process may write the session. A killed process leaves the file, but not the lock, so only the
 * lock counts. Null if this system does not tell.
 */
export function findLockHolders(config: string): LockHolder[] | null {
  const directory = `${config}/${DIRECTORY}`
  const files = listDirectory(directory).flatMap(({ name }) => {
    const session = NAME.exec(name)?.[1]
    return session === undefined ? [] : [{ session, path: `${directory}/${name}` }]
  })
  if (files.length === 0) return []
  return process.platform === 'linux' ? fromKernel(files) : fromLsof(files)
}

interface LockFile {
  readonly session: string
  readonly path: string
}

function fromKernel(files: readonly LockFile[]): LockHolder[] | null {
  const table = readSmallFile('/proc/locks', MAX_BYTES)
  if (table === null) return null
  const held = readLockTable(table.toString('latin1'))
  return files.flatMap(({ session, path }) =>
    (held.get(String(statPath(path)?.ino)) ?? []).map((pid) => ({ session, pid })),
  )
}

/**
 * The holders of whole-file locks by inode. The device is not compared, because overlay file systems
 * show another one to programs; an equal inode elsewhere only makes Retake more careful.
 */
export function readLockTable(table: string): Map<string, number[]> {
  const held = new Map<string, number[]>()
  for (const line of table.split('\n')) {
    // A waiting process has `->` before its kind.
    const found = /^\d+: FLOCK +\S+ +WRITE +(-?\d+) +\S+:(\d+) /.exec(line)
    if (found === null) continue
    const [, pid, inode] = found
    held.set(inode!, [...(held.get(inode!) ?? []), Math.max(0, Number(pid))])
  }
  return held
}

function fromLsof(files: readonly LockFile[]): LockHolder[] | null {
  const paths = files.map(({ path }) => path)
  const { stdout, error } = spawnSync('lsof', ['-n', '-P', '-F', 'pn', '--', ...paths], {
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
  })
  if (error !== undefined) return null
  return readLsof(stdout).flatMap(({ pid, path }) => {
    const file = files.find((each) => path.endsWith(each.path))
    return file === undefined ? [] : [{ session: file.session, pid }]
  })
}

/** Each process is a line `pPID`, followed by a line `nPATH` for each of its open files. */
export function readLsof(said: string): { pid: number; path: string }[] {
  let pid = 0
  return said.split('\n').flatMap((line) => {
    if (line.startsWith('p')) pid = Number(line.slice(1)) || 0
    return line.startsWith('n') ? [{ pid, path: line.slice(1) }] : []
  })
}
