import { Failure } from '#failure'
import type { Disk } from './durable-disk.ts'
import { nameBytes } from './names.ts'

const NEWLINE = 0x0a

/** Bytes to be added to the end of one file, and what the file was when that was decided. */
export interface Append {
  readonly path: string
  readonly device: bigint
  readonly inode: bigint
  readonly size: number
  readonly bytes: Buffer
}

/**
 * How far an append has come, read from the file itself. `foreign` means that somebody else wrote,
 * cut or replaced the file since and our bytes are not whole in it.
 */
export type AppendProgress =
  | { readonly kind: 'not-yet' }
  | { readonly kind: 'partly'; readonly written: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'foreign' }

/**
 * Puts a newline before the bytes when the file does not end in one. Otherwise our line would be
 * glued to a torn one and both would be lost to the agent. Null when the file is not as expected.
 */
export function prepareAppend(
  disk: Disk,
  path: string,
  expected: { inode: bigint; size: number },
  bytes: Buffer,
): Append | null {
  const file = disk.openAppend(nameBytes(path))
  try {
    const stat = disk.statOpen(file)
    if (stat.kind !== 'file' || stat.inode !== expected.inode || stat.size !== expected.size)
      return null
    const last = Buffer.alloc(1)
    const endsTorn = stat.size > 0 && disk.read(file, last, stat.size - 1) === 1
    const guard = endsTorn && last[0] !== NEWLINE ? Buffer.from([NEWLINE]) : Buffer.alloc(0)
    return {
      path,
      device: stat.device,
      inode: stat.inode,
      size: stat.size,
      bytes: Buffer.concat([guard, bytes]),
    }
  } finally {
    disk.close(file)
  }
}

export function lookAtAppend(disk: Disk, append: Append): AppendProgress {
  if (disk.stat(nameBytes(append.path))?.kind !== 'file') return { kind: 'foreign' }
  return withFile(disk, append, (file) => progress(disk, file, append))
}

/**
 * Brings the append to its end, from wherever it stands; twice is once. One write on a file opened
 * for appending: what another process adds at the same moment is never cut or overwritten.
 */
export function performAppend(disk: Disk, append: Append): void {
  withFile(disk, append, (file) => {
    const before = progress(disk, file, append)
    if (before.kind === 'foreign') throw changed(append)
    const written = before.kind === 'partly' ? before.written : 0
    if (before.kind !== 'done') writeRest(disk, file, append, written)
    syncOrTakeBack(disk, file, append)
    if (progress(disk, file, append).kind !== 'done') throw changed(append)
  })
}

function writeRest(disk: Disk, file: number, append: Append, from: number): void {
  try {
    let written = from
    // A second round only happens on a full disk, and then mostly to hear ENOSPC.
    while (written < append.bytes.length)
      written += disk.write(file, append.bytes.subarray(written))
  } catch (error) {
    takeBack(disk, file, append)
    throw error
  }
}

function syncOrTakeBack(disk: Disk, file: number, append: Append): void {
  try {
    disk.sync(file)
  } catch (error) {
    takeBack(disk, file, append)
    throw error
  }
}

/**
 * After an error, removes our own bytes again, if nothing came after them: half a line left behind
 * would swallow the agent's next one. What stood there before is never cut.
 */
function takeBack(disk: Disk, file: number, append: Append): void {
  const { size } = disk.statOpen(file)
  if (size <= append.size || size > append.size + append.bytes.length) return
  const reached = progress(disk, file, append)
  if (reached.kind !== 'partly' && reached.kind !== 'done') return
  try {
    disk.truncate(file, append.size)
    // Otherwise a power cut could bring half a line back, after the operation was taken back.
    disk.sync(file)
  } catch {
    // The first error is the one to report; what is left in the file is looked at again.
  }
}

function progress(disk: Disk, file: number, append: Append): AppendProgress {
  const stat = disk.statOpen(file)
  if (stat.device !== append.device || stat.inode !== append.inode || stat.size < append.size)
    return { kind: 'foreign' }
  const tail = Buffer.alloc(stat.size - append.size)
  const got = tail.length === 0 ? 0 : disk.read(file, tail, append.size)
  const added = tail.subarray(0, got)
  if (added.length === 0) return { kind: 'not-yet' }
  // Anywhere in the tail: the agent may have written a line just before ours, and many after.
  if (added.includes(append.bytes)) return { kind: 'done' }
  if (append.bytes.subarray(0, added.length).equals(added))
    return { kind: 'partly', written: added.length }
  return { kind: 'foreign' }
}

function withFile<T>(disk: Disk, append: Append, use: (file: number) => T): T {
  const file = disk.openAppend(nameBytes(append.path))
  try {
    return use(file)
  } finally {
    disk.close(file)
  }
}

function changed(append: Append): Failure {
  return new Failure('conversation-changed', `${append.path} was written by someone else.`, {
    hint: 'Close the agent that has this session open, then try again.',
  })
}
