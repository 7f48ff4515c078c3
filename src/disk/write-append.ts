import { Failure } from '#failure'
import type { Disk } from './durable-disk.ts'
import { nameBytes } from './names.ts'

const NEWLINE = 0x0a

/** Bytes to append to a file, and the file's identity at planning time. */
export interface Append {
  readonly path: string
  readonly device: bigint
  readonly inode: bigint
  readonly size: number
  readonly bytes: Buffer
}

/**
 * The progress of an append, read from the file. `foreign`: another program wrote, cut or replaced
 * the file since, and our bytes are not complete in it.
 */
export type AppendProgress =
  | { readonly kind: 'not-yet' }
  | { readonly kind: 'partly'; readonly written: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'foreign' }

/**
 * Puts a newline before the bytes if the file does not end in one. Otherwise our line would join a
 * torn one, and the agent could read neither. Null if the file is not as expected.
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

export function inspectAppend(disk: Disk, append: Append): AppendProgress {
  if (disk.stat(nameBytes(append.path))?.kind !== 'file') return { kind: 'foreign' }
  return withFile(disk, append, (file) => progress(disk, file, append))
}

/**
 * Completes the append from any state. Idempotent. It is one write in append mode, so bytes that
 * another process adds at the same moment are never cut or overwritten.
 */
export function performAppend(disk: Disk, append: Append): void {
  withFile(disk, append, (file) => {
    const before = progress(disk, file, append)
    if (before.kind === 'foreign') throw changed(append)
    const written = before.kind === 'partly' ? before.written : 0
    if (before.kind !== 'done') writeRest(disk, file, append, written)
    syncOrRemove(disk, file, append)
    if (progress(disk, file, append).kind !== 'done') throw changed(append)
  })
}

function writeRest(disk: Disk, file: number, append: Append, from: number): void {
  try {
    let written = from
    // A second write only happens on a full disk, and then usually fails with ENOSPC.
    while (written < append.bytes.length)
      written += disk.write(file, append.bytes.subarray(written))
  } catch (error) {
    removeOwnBytes(disk, file, append)
    throw error
  }
}

function syncOrRemove(disk: Disk, file: number, append: Append): void {
  try {
    disk.sync(file)
  } catch (error) {
    removeOwnBytes(disk, file, append)
    throw error
  }
}

/**
 * After an error, removes our bytes again if nothing follows them, because a partial line would
 * join the agent's next one. Never cuts earlier bytes.
 */
function removeOwnBytes(disk: Disk, file: number, append: Append): void {
  const { size } = disk.statOpen(file)
  if (size <= append.size || size > append.size + append.bytes.length) return
  const reached = progress(disk, file, append)
  if (reached.kind !== 'partly' && reached.kind !== 'done') return
  try {
    disk.truncate(file, append.size)
    // Otherwise a power cut could bring back half a line after the operation was rolled back.
    disk.sync(file)
  } catch {
    // Report the first error. What is left in the file is checked again later.
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
  // Search the whole tail: the agent may have written a line just before ours, and more after.
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
  return new Failure('conversation-changed', `Another program wrote to ${append.path}.`, {
    hint: 'Close the agent that has this session open, then try again.',
  })
}
