import { createHash, hash } from 'node:crypto'
import { Failure } from '#failure'
import type { Disk, Stat } from './durable-disk.ts'
import { nameText, splitLast } from './names.ts'
import { tryInDirectory, type Directory, type PinnedRoot } from './pinned-root.ts'

/** The result of reading a path. Of directories and special files only the kind is read. */
export type FoundEntry =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file'
      readonly content: string
      readonly mode: number
      readonly bytes: Buffer
      readonly stat: Stat
    }
  | { readonly kind: 'symlink'; readonly target: string; readonly stat: Stat }
  | { readonly kind: 'directory'; readonly stat: Stat }
  | { readonly kind: 'special'; readonly stat: Stat }

/**
 * The largest file that Retake reads. Operations on larger ones are refused before anything
 * changes.
 */
export const LARGEST_FILE = 1024 * 1024 * 1024

/**
 * Reads one entry of a directory. Never opens a special file, because a FIFO would block.
 */
export function readEntry(directory: Directory, name: string): FoundEntry {
  const { disk } = directory
  const path = directory.at(name)
  const stat = disk.stat(path)
  if (stat === null) return { kind: 'absent' }
  if (stat.kind === 'symlink')
    return { kind: 'symlink', target: nameText(disk.readLink(path)), stat }
  if (stat.kind !== 'file') return { kind: stat.kind, stat }

  const file = disk.openFile(path)
  try {
    const opened = disk.statOpen(file)
    // Another program replaced it between the two calls.
    if (opened.kind !== 'file')
      return { kind: opened.kind === 'directory' ? 'directory' : 'special', stat: opened }
    if (opened.size > LARGEST_FILE)
      throw new Failure('file-too-big', `${name} is larger than 1 GiB.`)
    const bytes = readOpenFile(disk, file, opened.size)
    return { kind: 'file', content: blobId(bytes), mode: opened.mode, bytes, stat: opened }
  } finally {
    disk.close(file)
  }
}

/** Reads a path of the project. Never follows a symlinked directory. */
export function readValue(root: PinnedRoot, path: string): FoundEntry {
  const { parent, name } = splitLast(path)
  return (
    tryInDirectory(root, parent, (directory) => readEntry(directory, name)) ?? { kind: 'absent' }
  )
}

/** Reads to the end, even if the file grows meanwhile. */
export function readOpenFile(disk: Disk, file: number, expected: number): Buffer {
  let buffer = Buffer.allocUnsafe(expected + 1)
  let size = 0
  for (;;) {
    const got = disk.read(file, buffer.subarray(size), size)
    size += got
    // Fewer bytes than asked for, and as many as the file has: another read would return nothing.
    if (got === 0 || (size === expected && size < buffer.length)) return buffer.subarray(0, size)
    if (size === buffer.length) {
      const larger = Buffer.allocUnsafe(size * 2)
      buffer.copy(larger)
      buffer = larger
    }
  }
}

const MAX_COPIED = 16 * 1024

/** The id git gives a blob with these bytes. */
export function blobId(bytes: Buffer): string {
  // One call is quicker for small files, although it copies them.
  if (bytes.length <= MAX_COPIED)
    return hash('sha1', Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]))
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
