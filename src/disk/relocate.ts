import { Failure } from '#failure'
import { errnoOf, type Disk } from './durable-disk.ts'
import { nameBytes, nameText } from './names.ts'
import type { AppendProgress } from './write-append.ts'
import { removeIfThere, writeAll } from './write-once.ts'
import { syncDirectory } from './write-private.ts'

/**
 * Files and directories that get other names together, in this order. What comes into being is
 * laid ready under names of ours and moved to its own, what others look for last; what goes is
 * moved away, what others look for first. So nobody ever sees half of it.
 */
export interface Relocation {
  readonly kind: 'make' | 'remove'
  readonly moves: readonly { readonly from: string; readonly to: string }[]
  /** For what goes: the file of the first move, as it was when that was decided. */
  readonly expected: { readonly inode: bigint; readonly size: number } | null
}

/** Whether everything is as it was when this was planned. */
export function canRelocate(disk: Disk, { kind, moves, expected }: Relocation): boolean {
  if (moves.some(({ to }) => stat(disk, to) !== null)) return false
  if (kind === 'make') return moves.every(({ from }) => stat(disk, from) === null)
  return isAsExpected(disk, moves[0]!.from, expected)
}

/** How far it has come, read from the disk itself. */
export function lookAtRelocation(disk: Disk, { moves }: Relocation): AppendProgress {
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

/** Brings it to its end, from wherever it stands; twice is once. */
export function performRelocation(disk: Disk, relocation: Relocation): void {
  const { moves, kind, expected } = relocation
  const { kind: reached } = lookAtRelocation(disk, relocation)
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

/** Removes what was laid ready, when it is not wanted after all. */
export function dropUnmade(disk: Disk, { kind, moves }: Relocation): void {
  if (kind === 'make') for (const { from } of moves) removeTree(disk, from)
}

/** Removes what was moved away; but not a file that somebody wrote to at the last moment. */
export function dropRemoved(disk: Disk, { kind, moves, expected }: Relocation): void {
  if (kind !== 'remove' || !isAsExpected(disk, moves[0]!.to, expected)) return
  // The first last: as long as it is there, this can be done again.
  for (const { to } of moves.toReversed()) removeTree(disk, to)
}

/** A file that does not exist yet; its bytes may be more than one would hold at once. */
export interface NewFile {
  readonly path: string
  readonly chunks: () => Iterable<Buffer>
}

/** Writes new files, for their owner alone, and the directories they need: all of it durable. */
export function layReady(disk: Disk, files: readonly NewFile[]): void {
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
  } else removeIfThere(disk, nameBytes(path))
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
  return new Failure('conversation-changed', `${path} was written by someone else.`, {
    hint: 'Close the agent that has this session open, then try again.',
  })
}
