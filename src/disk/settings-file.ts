import { isUtf8 } from 'node:buffer'
import { Failure, add, remedy } from '#failure'
import { errnoOf, type Disk, type Stat } from './durable-disk.ts'
import { outlineJson } from './json-outline.ts'
import { listDirectory } from './list-directory.ts'
import { nameBytes, nameText } from './names.ts'
import { writeFailure } from './write-failure.ts'
import { readOwnFile, removeIfExists, writeAll } from './write-once.ts'
import { syncDirectory } from './write-private.ts'

/** A JSON settings file as it was read: an agent's, or Retake's own. */
export interface SettingsFile {
  /** The path that its program uses. */
  readonly path: string
  /** The path with all links resolved. */
  readonly target: string
  /** Null if the file does not exist yet. */
  readonly text: string | null
  readonly stat: Stat | null
  readonly hasDirectory: boolean
}

/**
 * Reads settings that will be changed, and refuses files that cannot be changed safely. Links must
 * not lead out of the directory `within`: a cloned repository could point one anywhere.
 */
export function readSettings(
  disk: Disk,
  directory: string,
  { within, name = 'settings.json' }: { within: string | null; name?: string },
): SettingsFile {
  const path = `${directory}/${name}`
  const target = realPath(disk, path)
  if (within !== null && !target.startsWith(`${realPath(disk, within)}/`))
    throw new Failure('settings-outside', `${path} is a link that leads out of ${within}.`, {
      hint: remedy`It leads to ${target}. Replace it with a file in the project, or ${add('scope', 'user')}.`,
    })
  const stat = disk.stat(nameBytes(target))
  const hasDirectory = disk.stat(nameBytes(parentOf(target)))?.kind === 'directory'
  if (stat === null) {
    if (target !== `${realPath(disk, directory)}/${name}` && !hasDirectory)
      throw new Failure('settings-unsafe', `${path} is a link to ${target}, which does not exist.`)
    return { path, target, text: null, stat, hasDirectory }
  }
  checkChangeable(disk, target, stat)
  const bytes = readOwnFile(disk, target)!
  const text = bytes.toString('utf8')
  checkShape(path, isUtf8(bytes) ? text : '')
  return { path, target, text, stat, hasDirectory: true }
}

/**
 * Replaces the text atomically: other processes see either the old or the new one. A copy of the
 * old stays next to it until the new one has been read back.
 */
export function replaceSettings(disk: Disk, file: SettingsFile, text: string): void {
  const { target, stat } = file
  const directory = parentOf(target)
  const bytes = Buffer.from(text, 'utf8')
  const fresh = `${target}.${process.pid}.retake-new`
  const kept = `${target}.${process.pid}.retake-old`
  try {
    if (!file.hasDirectory) makeDirectories(disk, directory)
    sweep(disk, target)
    writeBeside(disk, fresh, bytes, stat)
    if (file.text !== null) writeBeside(disk, kept, Buffer.from(file.text, 'utf8'), stat)
    checkUnchanged(disk, file)
    disk.rename(nameBytes(fresh), nameBytes(target))
    syncDirectory(disk, directory)
    if (readOwnFile(disk, target)?.equals(bytes) !== true) {
      if (file.text !== null) disk.rename(nameBytes(kept), nameBytes(target))
      throw new Failure('disk-error', `${target} does not contain what was written.`, {
        hint: 'Check the disk. The old settings are restored.',
      })
    }
  } catch (error) {
    throw writeFailure(error, target)
  } finally {
    removeIfExists(disk, nameBytes(fresh))
    removeIfExists(disk, nameBytes(kept))
  }
}

/**
 * Removes a settings file that Retake made, and its directory if Retake made that too and it is
 * empty.
 */
export function removeSettings(disk: Disk, file: SettingsFile, made: ReadonlySet<string>): void {
  const directory = parentOf(file.target)
  try {
    checkUnchanged(disk, file)
    disk.unlink(nameBytes(file.target))
    syncDirectory(disk, directory)
    if (made.has('directory')) disk.removeDirectory(nameBytes(directory))
  } catch (error) {
    if (errnoOf(error) === 'ENOTEMPTY' || errnoOf(error) === 'EEXIST') return
    throw writeFailure(error, file.target)
  }
}

/** Removes what a killed process left next to the settings. */
function sweep(disk: Disk, target: string): void {
  const directory = parentOf(target)
  const ours = (name: string): boolean =>
    `${directory}/${name}`.startsWith(`${target}.`) && /\.\d+\.retake-(new|old)$/.test(name)
  for (const { name } of listDirectory(directory))
    if (ours(name)) removeIfExists(disk, nameBytes(`${directory}/${name}`))
}

function writeBeside(disk: Disk, path: string, bytes: Buffer, like: Stat | null): void {
  removeIfExists(disk, nameBytes(path))
  const file = disk.create(nameBytes(path), 0o600)
  try {
    writeAll(disk, file, bytes)
    const now = disk.statOpen(file)
    if (like !== null && (now.owner !== like.owner || now.group !== like.group))
      disk.changeOwner(file, like.owner, like.group)
    disk.changeMode(file, like === null ? 0o644 : like.mode)
    disk.sync(file)
  } finally {
    disk.close(file)
  }
}

function makeDirectories(disk: Disk, path: string): void {
  const parent = parentOf(path)
  if (disk.stat(nameBytes(parent)) === null) makeDirectories(disk, parent)
  disk.makeDirectory(nameBytes(path), 0o755)
  syncDirectory(disk, parent)
}

/** The agent writes its settings too ("always allow"), and its latest change must not be lost. */
function checkUnchanged(disk: Disk, { target, stat }: SettingsFile): void {
  const now = disk.stat(nameBytes(target))
  const same =
    now?.inode === stat?.inode && now?.size === stat?.size && now?.changed === stat?.changed
  if (!same)
    throw new Failure('settings-changed', `${target} just changed.`, {
      hint: 'Try again.',
    })
}

function checkChangeable(disk: Disk, target: string, stat: Stat): void {
  const me = process.getuid?.()
  const why =
    stat.kind !== 'file'
      ? 'it is not a regular file'
      : me !== undefined && stat.owner !== me
        ? 'it belongs to another user'
        : (stat.mode & 0o200) === 0 || !disk.isWritable(nameBytes(target))
          ? 'it is read-only'
          : disk.isWritable(nameBytes(parentOf(target)))
            ? null
            : 'its directory is read-only'
  if (why !== null)
    throw new Failure('settings-read-only', `${target} cannot be changed: ${why}.`, {
      hint: 'If another program manages it, make the change there.',
    })
}

function checkShape(path: string, text: string): void {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw invalidSettings(path, 'it is not valid JSON', cause)
  }
  if (outlineJson(text).kind !== 'object') throw invalidSettings(path, 'it is not an object')
}

export function invalidSettings(path: string, why: string, cause?: unknown): Failure {
  return new Failure('settings-invalid', `${path} was not changed: ${why}.`, {
    hint: 'Fix the file first. No program can read it.',
    cause,
  })
}

const MAX_LINKS = 40

/** Resolves every link. The last parts need not exist. */
function realPath(disk: Disk, path: string): string {
  let done = ''
  let links = 0
  const todo = path.split('/')
  while (todo.length > 0) {
    const part = todo.shift()!
    if (part === '' || part === '.') continue
    if (part === '..') {
      done = parentOf(done)
      continue
    }
    const at = `${done}/${part}`
    if (disk.stat(nameBytes(at))?.kind !== 'symlink') {
      done = at
      continue
    }
    if (++links > MAX_LINKS)
      throw new Failure('symlink-loop', `${path} is a symbolic link that leads nowhere.`)
    const target = nameText(disk.readLink(nameBytes(at)))
    if (target.startsWith('/')) done = ''
    todo.unshift(...target.split('/'))
  }
  return done
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '/'
}
