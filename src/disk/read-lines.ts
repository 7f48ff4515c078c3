import { closeSync, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs'
import { diskFailure } from './disk-failure.ts'

const CHUNK = 4 * 1024 * 1024
const NEWLINE = 0x0a

/** Who a file is, so that a replaced or shrunk file is never taken for the grown old one. */
export interface FileIdentity {
  readonly device: bigint
  readonly inode: bigint
  readonly size: number
  readonly modified: bigint
  /** Changes with every write and cannot be set back, unlike the modification time. */
  readonly changed: bigint
}

export function identityOf(stat: BigIntStats): FileIdentity {
  return {
    device: stat.dev,
    inode: stat.ino,
    size: Number(stat.size),
    modified: stat.mtimeNs,
    changed: stat.ctimeNs,
  }
}

export interface LineReading {
  readonly identity: FileIdentity
  /** Where the last whole line ended: the next reading starts here. */
  readonly end: number
  /** Bytes after the last newline: the agent may be in the middle of writing them. */
  readonly tail: Buffer
}

export interface LineReader {
  /** The bytes are only valid during the call: the buffer is used again. */
  line(bytes: Buffer, start: number, end: number, offset: number): void
  /** A line longer than `limit`: its first and last bytes, and how long it is. */
  longLine(first: Buffer, last: Buffer, offset: number, length: number): void
}

/**
 * Reads whole lines of a growing file from `from` on, split at LF only. Never holds more than one
 * chunk and one line, so that a 600 MB line or a 10 GB file does not end the process, and never
 * turns bytes into a string by itself: one string holds at most 512 MB.
 */
export function readLines(
  path: string,
  options: { from: number; limit: number },
  reader: LineReader,
): LineReading {
  const file = open(path)
  try {
    const stat = fstatSync(file, { bigint: true })
    if (!stat.isFile()) throw diskFailure('not-a-file', path)
    const identity = identityOf(stat)
    return { identity, ...splitLines(file, identity.size, options, reader) }
  } finally {
    closeSync(file)
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw diskFailure(cause, path)
  }
}

function splitLines(
  file: number,
  size: number,
  { from, limit }: { from: number; limit: number },
  reader: LineReader,
): { end: number; tail: Buffer } {
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(size - from, 1)) + 1)
  let kept = 0 // bytes of an unfinished line at the front of the buffer
  let position = from // file offset of the byte after the buffer's content
  let long: { offset: number; first: Buffer } | null = null
  let last: Buffer = Buffer.alloc(0)

  // Only up to the size seen at the start: an agent that writes faster than we read would keep us
  // here for ever.
  while (position < size) {
    if (buffer.length - kept < 1) buffer = grow(buffer, limit)
    const want = Math.min(buffer.length - kept, size - position)
    const got = readSync(file, buffer, kept, want, position)
    if (got === 0) break // the file shrank while being read
    const filled = kept + got
    const base = position - kept // file offset of buffer[0]
    position += got

    let start = 0
    let newline = buffer.indexOf(NEWLINE, kept)
    while (newline !== -1 && newline < filled) {
      if (long === null) reader.line(buffer, start, newline, base + start)
      else {
        const end = Buffer.concat([last, buffer.subarray(0, newline)]).subarray(-KEEP)
        reader.longLine(long.first, end, long.offset, base + newline - long.offset)
        long = null
      }
      start = newline + 1
      newline = buffer.indexOf(NEWLINE, start)
    }

    if (long !== null) {
      last = Buffer.concat([last, buffer.subarray(0, filled)]).subarray(-KEEP)
      kept = 0
    } else if (filled - start > limit) {
      long = { offset: base + start, first: Buffer.from(buffer.subarray(start, start + KEEP)) }
      last = Buffer.from(buffer.subarray(start, filled).subarray(-KEEP))
      kept = 0
    } else {
      buffer.copyWithin(0, start, filled)
      kept = filled - start
    }
  }

  if (long !== null) {
    reader.longLine(long.first, last, long.offset, position - long.offset)
    return { end: position, tail: Buffer.alloc(0) }
  }
  return { end: position - kept, tail: Buffer.from(buffer.subarray(0, kept)) }
}

/** What is kept of each end of a line that is too long to hold. */
const KEEP = 64 * 1024

function grow(buffer: Buffer, limit: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(buffer.length * 2, limit + CHUNK))
  buffer.copy(larger)
  return larger
}
