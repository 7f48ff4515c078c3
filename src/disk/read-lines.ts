import type { FileRanges } from './read-range.ts'

const CHUNK = 4 * 1024 * 1024
const NEWLINE = 0x0a
/** How many bytes to keep from each end of a line that is too long to hold. */
const END_BYTES = 64 * 1024

export interface LineReader {
  /** The bytes are only valid during the call, because the buffer is reused. */
  line(bytes: Buffer, start: number, end: number, offset: number): void
  /** The bytes after the last newline. The agent may still be writing this line. */
  rest(bytes: Buffer, start: number, end: number, offset: number): void
  /** A line longer than `limit`: its first and last bytes, and its length. */
  longLine(
    ends: { first: Buffer; last: Buffer },
    at: { offset: number; length: number; whole: boolean },
  ): void
}

/**
 * Reads the lines of a growing file from `from` on, split at LF only, and returns where the last
 * complete one ended. Holds at most one chunk and one line, so a 600 MB line or a 10 GB file does
 * not exhaust memory. Never decodes bytes, because a string holds at most 512 MB.
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

  // Stop at the size seen at the start: an agent that writes faster than this reads would keep it
  // here forever.
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
      long = { offset: base + start, first: Buffer.from(buffer.subarray(start, start + END_BYTES)) }
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
  if (more.length >= END_BYTES) return Buffer.from(more.subarray(-END_BYTES))
  return Buffer.concat([before, more]).subarray(-END_BYTES)
}

function grow(buffer: Buffer, limit: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(buffer.length * 2, limit + CHUNK))
  buffer.copy(larger)
  return larger
}
