import type { FileRanges } from './read-range.ts'

const CHUNK = 4 * 1024 * 1024
const NEWLINE = 0x0a
/** What is kept of each end of a line that is too long to hold. */
const KEEP = 64 * 1024

export interface LineReader {
  /** The bytes are only valid during the call: the buffer is used again. */
  line(bytes: Buffer, start: number, end: number, offset: number): void
  /** What stands after the last newline: the agent may be in the middle of writing it. */
  rest(bytes: Buffer, start: number, end: number, offset: number): void
  /** A line longer than `limit`: its first and last bytes, and how long it is. */
  longLine(
    ends: { first: Buffer; last: Buffer },
    at: { offset: number; length: number; whole: boolean },
  ): void
}

/**
 * Reads the lines of a growing file from `from` on, split at LF only, and says where the last
 * whole one ended. Never holds more than one chunk and one line, so that a 600 MB line or a 10 GB
 * file does not end the process, and never turns bytes into a string by itself: one string holds
 * at most 512 MB.
 */
export function readLines(
  file: FileRanges,
  { from, limit }: { from: number; limit: number },
  reader: LineReader,
): number {
  const { size } = file
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
    const got = file.readInto(buffer, kept, want, position)
    if (got === 0) break // the file shrank while being read
    const filled = kept + got
    const base = position - kept // file offset of buffer[0]
    position += got

    let start = 0
    let newline = buffer.indexOf(NEWLINE, kept)
    while (newline !== -1 && newline < filled) {
      if (long === null) reader.line(buffer, start, newline, base + start)
      else {
        const { offset, first } = long
        const ends = { first, last: lastOf(last, buffer.subarray(0, newline)) }
        reader.longLine(ends, { offset, length: base + newline - offset, whole: true })
        long = null
      }
      start = newline + 1
      newline = buffer.indexOf(NEWLINE, start)
    }

    if (long !== null) {
      last = lastOf(last, buffer.subarray(0, filled))
      kept = 0
    } else if (filled - start > limit) {
      long = { offset: base + start, first: Buffer.from(buffer.subarray(start, start + KEEP)) }
      last = lastOf(Buffer.alloc(0), buffer.subarray(start, filled))
      kept = 0
    } else {
      buffer.copyWithin(0, start, filled)
      kept = filled - start
    }
  }

  if (long !== null) {
    const { offset, first } = long
    reader.longLine({ first, last }, { offset, length: position - offset, whole: false })
    return offset
  }
  const end = position - kept
  if (kept > 0) reader.rest(buffer, 0, kept, end)
  return end
}

function lastOf(before: Buffer, more: Buffer): Buffer {
  if (more.length >= KEEP) return Buffer.from(more.subarray(-KEEP))
  return Buffer.concat([before, more]).subarray(-KEEP)
}

function grow(buffer: Buffer, limit: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(buffer.length * 2, limit + CHUNK))
  buffer.copy(larger)
  return larger
}
