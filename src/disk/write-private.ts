import { Failure } from '#failure'
import { errnoOf, type Disk, type Stat } from './durable-disk.ts'
import { nameBytes } from './names.ts'

/**
 * Makes or reuses a directory below `base` that only its owner can enter, and returns its path.
 * From `base` on, no part may be a link, belong to another user or be writable by others: anyone
 * who can rename a part of the path decides what the store holds.
 */
export function makePrivateDirectory(disk: Disk, base: string, parts: readonly string[]): string {
  makeMissing(disk, base)
  ensurePrivate(disk, base)
  let path = base
  for (const part of parts) {
    path = `${path}/${part}`
    makeOne(disk, path)
    ensurePrivate(disk, path)
  }
  return path
}

/**
 * Makes an empty file with mode 0600, whatever the umask, and syncs its directory. An existing file
 * is not opened, because closing it would drop SQLite's locks on it.
 */
export function makePrivateFile(disk: Disk, directory: string, name: string): 'made' | 'was-there' {
  const path = nameBytes(`${directory}/${name}`)
  const stat = disk.stat(path)
  if (stat !== null) {
    checkOwner(`${directory}/${name}`, stat, 'file')
    return 'was-there'
  }
  let file: number
  try {
    file = disk.create(path, 0o600)
  } catch (error) {
    // Another process is making the same store right now.
    if (errnoOf(error) === 'EEXIST') return 'was-there'
    throw error
  }
  try {
    disk.changeMode(file, 0o600)
    disk.sync(file)
  } finally {
    disk.close(file)
  }
  syncDirectory(disk, directory)
  return 'made'
}

/** Throws if the path is not a plain file or directory of ours. Null if nothing is there. */
export function inspectPrivate(disk: Disk, path: string, kind: 'file' | 'directory'): Stat | null {
  const stat = disk.stat(nameBytes(path))
  if (stat !== null) checkOwner(path, stat, kind)
  return stat
}

export function syncDirectory(disk: Disk, path: string): void {
  const directory = disk.openDirectory(nameBytes(path))
  try {
    disk.sync(directory)
  } finally {
    disk.close(directory)
  }
}

function makeMissing(disk: Disk, path: string): void {
  if (disk.stat(nameBytes(path)) !== null) return
  const parent = path.slice(0, path.lastIndexOf('/'))
  if (parent !== '') makeMissing(disk, parent)
  makeOne(disk, path)
}

function makeOne(disk: Disk, path: string): void {
  try {
    disk.makeDirectory(nameBytes(path), 0o700)
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return
    throw error
  }
  syncDirectory(disk, path.slice(0, path.lastIndexOf('/')) || '/')
}

function ensurePrivate(disk: Disk, path: string): void {
  const stat = disk.stat(nameBytes(path))
  if (stat !== null) checkOwner(path, stat, 'directory')
  const directory = disk.openDirectory(nameBytes(path))
  try {
    const opened = disk.statOpen(directory)
    checkOwner(path, opened, 'directory')
    if ((opened.mode & 0o7777) !== 0o700) disk.changeMode(directory, 0o700)
  } finally {
    disk.close(directory)
  }
}

function checkOwner(path: string, stat: Stat, kind: 'file' | 'directory'): void {
  const me = process.getuid?.()
  if (stat.kind !== kind)
    throw unsafe(path, `it is ${stat.kind === 'symlink' ? 'a symbolic link' : `no ${kind}`}`)
  if (me !== undefined && stat.owner !== me) throw unsafe(path, 'it belongs to another user')
  if ((stat.mode & 0o022) !== 0) throw unsafe(path, 'other users can write to it')
}

function unsafe(path: string, why: string): Failure {
  return new Failure('store-unsafe', `${path} cannot hold Retake's store: ${why}.`, {
    hint: 'Move it away, or make it yours alone, then try again.',
  })
}
