import { Failure } from '#failure'
import { errnoOf, type Disk } from './durable-disk.ts'
import { nameBytes, nameText } from './names.ts'
import type { AppendProgress } from './write-append.ts'
import { removeIfExists, writeAll } from './write-once.ts'
import { syncDirectory } from './write-private.ts'

/**
 * Renames of files and directories that belong together, in this order. New files are written under
 * temporary names and then moved, the one that others look for last. Files to remove are moved
 * away, the one that others look for first. So no program sees a partial state.
 */
export interface Relocation {
  readonly kind: 'make' | 'remove'
  readonly moves: readonly { readonly from: string; readonly to: string }[]
  /** For a removal: the file of the first move, as it was at planning time. */
  readonly expected: { readonly inode: bigint; readonly size: number } | null
}

/** Whether the files are still as planned. */
export function canRelocate(disk: Disk, { kind, moves, expected }: Relocation): boolean {
  if (moves.some(({ to }) => stat(disk, to) !== null)) return false
  if (kind === 'make') return moves.every(({ from }) => stat(disk, from) === null)
  return isAsExpected(disk, moves[0]!.from, expected)
}

/** The progress, read from the disk. */
export function inspectRelocation(disk: Disk, { moves }: Relocation): AppendProgress {
  const done = moves.map(({ from, to }) => {
    const [old, now] = [stat(disk, from), stat(disk, to)]
    return old === null && now === null
      ? 'lost'
      : old === null
        ? 'yes'
        : now === null
          ? 'no'
          : 'lost'
  })
  if (done.includes('lost')) return { kind: 'foreign' }
  if (done.every((each) => each === 'yes')) return { kind: 'done' }
  return done.includes('yes') ? { kind: 'partly', written: 0 } : { kind: 'not-yet' }
}

/** Completes the moves from any state. Idempotent. */
export function performRelocation(disk: Disk, relocation: Relocation): void {
  const { moves, kind, expected } = relocation
  const { kind: reached } = inspectRelocation(disk, relocation)
  const isUntouched = reached === 'not-yet'
  if (reached === 'foreign') throw changed(moves[0]!.from)
  if (isUntouched && kind === 'remove' && !isAsExpected(disk, moves[0]!.from, expected))
    throw changed(moves[0]!.from)
  for (const { from, to } of moves) {
    if (stat(disk, to) !== null) continue
    disk.rename(nameBytes(from), nameBytes(to))
    for (const directory of new Set([parentOf(from), parentOf(to)])) syncDirectory(disk, directory)
  }
}

/** Deletes the prepared files of a creation that will not happen. */
export function dropUnmade(disk: Disk, { kind, moves }: Relocation): void {
  if (kind === 'make') for (const { from } of moves) removeTree(disk, from)
}

/** Deletes the files that were moved away, unless the first was written to at the last moment. */
export function dropRemoved(disk: Disk, { kind, moves, expected }: Relocation): void {
  if (kind !== 'remove' || !isAsExpected(disk, moves[0]!.to, expected)) return
  // Delete the first file last: while it exists, this can run again.
  for (const { to } of moves.toReversed()) removeTree(disk, to)
}

/** A file to create. It is written in chunks, because it may not fit in memory. */
export interface NewFile {
  readonly path: string
  readonly chunks: () => Iterable<Buffer>
}

/** Writes new files with mode 0600 and the directories they need, and syncs them. */
export function createFiles(disk: Disk, files: readonly NewFile[]): void {
  const touched = new Set<string>()
  for (const { path, chunks } of files) {
    makeMissing(disk, parentOf(path), touched)
    const file = disk.create(nameBytes(path), 0o600)
    try {
      for (const chunk of chunks()) writeAll(disk, file, chunk)
      disk.sync(file)
    } finally {
      disk.close(file)
    }
    touched.add(parentOf(path))
  }
  for (const directory of touched) syncDirectory(disk, directory)
}

function makeMissing(disk: Disk, directory: string, touched: Set<string>): void {
  if (stat(disk, directory) !== null) return
  makeMissing(disk, parentOf(directory), touched)
  disk.makeDirectory(nameBytes(directory), 0o700)
  touched.add(parentOf(directory))
}

function removeTree(disk: Disk, path: string): void {
  const found = stat(disk, path)
  if (found === null) return
  if (found.kind === 'directory') {
    for (const name of disk.list(nameBytes(path))) removeTree(disk, `${path}/${nameText(name)}`)
    disk.removeDirectory(nameBytes(path))
  } else removeIfExists(disk, nameBytes(path))
  trySync(disk, parentOf(path))
}

function trySync(disk: Disk, directory: string): void {
  try {
    syncDirectory(disk, directory)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}

function isAsExpected(disk: Disk, path: string, expected: Relocation['expected']): boolean {
  const found = stat(disk, path)
  return found?.inode === expected?.inode && found?.size === expected?.size
}

function stat(disk: Disk, path: string) {
  return disk.stat(nameBytes(path))
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

function changed(path: string): Failure {
  return new Failure('conversation-changed', `Another program wrote to ${path}.`, {
    hint: 'Close the agent that has this session open, then try again.',
  })
}
