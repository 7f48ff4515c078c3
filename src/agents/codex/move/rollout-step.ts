import { Failure } from '#failure'
import { nameBytes, removeIfExists, syncDirectory, writeAll, type Disk } from '#disk'
import type { PlannedStep, RecordedStep, StepProgress } from '#store'
import { NAME } from '../steps/index.ts'
import { readPointer, replacePointer } from './thread-pointer.ts'
import { isBeingWritten } from './writer-lock.ts'

/**
 * A thread goes to another rollout: a new one, or an older one of its own. The file comes first,
 * then the index that names it, so that the index never names a file that is not there.
 */
export interface RolloutMove {
  readonly home: string
  readonly thread: string
  /** The rollout that the thread is at, as it was at planning time. */
  readonly from: { readonly path: string; readonly inode: string; readonly size: number }
  readonly to: string
  /** The agent's index; null if it does not know the thread. The newest file then counts. */
  readonly index: string | null
}

/** `bytes` are those of a new rollout; null if `to` exists. */
export function rolloutStep(move: RolloutMove, bytes: Buffer | null): PlannedStep {
  return {
    prepare(disk) {
      const isFree = bytes === null || disk.stat(nameBytes(move.to)) === null
      if (!isFree || progressOf(disk, move, bytes) !== 'before') return null
      const end = bytes?.length ?? disk.stat(nameBytes(move.to))?.size ?? 0
      return { agent: NAME, step: { kind: 'rollout', ...move }, bytes, end }
    },
  }
}

export function isRolloutMove(step: unknown): step is RolloutMove {
  return (step as { kind?: unknown }).kind === 'rollout'
}

export function progressOf(disk: Disk, move: RolloutMove, bytes: Buffer | null): StepProgress {
  const { from, to, index, thread } = move
  const made = disk.stat(nameBytes(to))
  // The agent appends to the new rollout as soon as it continues.
  const isThere = made !== null && made.size >= (bytes?.length ?? 0)
  if (index === null) return isThere ? 'after' : isAsPlanned(disk, from) ? 'before' : 'neither'
  const pointer = readPointer(index, thread)
  if (pointer === to) return isThere ? 'after' : 'neither'
  return pointer === from.path && isAsPlanned(disk, from) ? 'before' : 'neither'
}

export function performMove(disk: Disk, { step, bytes }: RecordedStep): void {
  const move = step as RolloutMove
  const { from, to, index, thread, home } = move
  const progress = progressOf(disk, move, bytes)
  if (progress === 'after') return
  if (progress === 'neither') throw changed(from.path)
  if (isBeingWritten(home, thread)) throw inUse(thread)
  if (bytes !== null) writeRollout(disk, to, bytes)
  if (index === null) return
  if (!replacePointer(index, thread, { from: from.path, to })) throw changed(from.path)
  // The agent may have opened the old rollout a moment before.
  if (!isBeingWritten(home, thread)) return
  replacePointer(index, thread, { from: to, to: from.path })
  throw inUse(thread)
}

/** Removes the new rollout of a move that is not made. */
export function abandonMove(disk: Disk, { step, bytes }: RecordedStep): void {
  const move = step as RolloutMove
  if (bytes === null) return
  removeIfExists(disk, nameBytes(partOf(move.to)))
  // Codex may have opened the session while the index named the new rollout, and write to it.
  if (isBeingWritten(move.home, move.thread)) return
  const isNamed = move.index !== null && readPointer(move.index, move.thread) === move.to
  const made = disk.stat(nameBytes(move.to))
  // A rollout that the agent has continued is no longer Retake's.
  if (!isNamed && made?.size === bytes.length) removeIfExists(disk, nameBytes(move.to))
}

function writeRollout(disk: Disk, path: string, bytes: Buffer): void {
  if (disk.stat(nameBytes(path)) !== null) return
  const directory = path.slice(0, path.lastIndexOf('/'))
  makeDirectories(disk, directory)
  const part = nameBytes(partOf(path))
  removeIfExists(disk, part)
  const file = disk.create(part, 0o600)
  try {
    writeAll(disk, file, bytes)
    disk.sync(file)
  } finally {
    disk.close(file)
  }
  disk.rename(part, nameBytes(path))
  syncDirectory(disk, directory)
}

function makeDirectories(disk: Disk, directory: string): void {
  if (disk.stat(nameBytes(directory)) !== null) return
  const parent = directory.slice(0, directory.lastIndexOf('/'))
  makeDirectories(disk, parent)
  disk.makeDirectory(nameBytes(directory), 0o700)
  syncDirectory(disk, parent)
}

/** No rollout has this name, so the agent passes over it. */
function partOf(path: string): string {
  const cut = path.lastIndexOf('/') + 1
  return `${path.slice(0, cut)}.retake-${path.slice(cut)}.part`
}

function isAsPlanned(disk: Disk, { path, inode, size }: RolloutMove['from']): boolean {
  const found = disk.stat(nameBytes(path))
  return found !== null && String(found.inode) === inode && found.size === size
}

function changed(path: string): Failure {
  return new Failure('conversation-changed', `Codex wrote to ${path}, or moved the session.`, {
    hint: 'Close the agent that has this session open, then try again.',
  })
}

function inUse(thread: string): Failure {
  return new Failure('conversation-changed', `Codex has the session ${thread} open.`, {
    hint: 'Leave the session in Codex with /quit, then try again.',
  })
}
