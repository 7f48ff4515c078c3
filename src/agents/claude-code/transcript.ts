import { createHash } from 'node:crypto'
import { readLines, readRanges, type FileIdentity } from '#disk'
import { readLine, readLongLine, type Line, type Title } from './read-row.ts'
import type { CheckpointRow, Damage, Pointer, Row } from './row.ts'

/**
 * A session file as rows. Reading never writes, never repairs and never re-serialises a line.
 * What was read once is not read again: `readTranscript` continues where the last reading ended,
 * and starts over when the file is not the one it was.
 */
export interface Transcript {
  readonly path: string
  readonly identity: FileIdentity
  /** Where the last whole line ended. */
  readonly end: number
  /** Bytes at the start of the file and before `end`: a rewritten file shows here. */
  readonly sample: string
  readonly rows: Row[]
  readonly pointers: Pointer[]
  readonly checkpoints: CheckpointRow[]
  readonly titles: Title[]
  readonly damage: Damage[]
  readonly opaque: number
}

/** A row of 64 MiB is beyond anything an agent writes; it is named as damage, not held. */
const LONGEST_LINE = 64 * 1024 * 1024
const SAMPLE = 4096

export function readTranscript(path: string, known?: Transcript): Transcript {
  const continued = known !== undefined && continues(path, known)
  const lines = collectLines(continued ? known : undefined)
  const { identity, end, tail } = readLines(
    path,
    { from: continued ? known.end : 0, limit: LONGEST_LINE },
    {
      line: (bytes, start, end, offset) => lines.add(readLine(bytes, start, end, offset)),
      longLine: (first, last, offset, length) =>
        lines.add(readLongLine(first, last, offset, length)),
    },
  )
  // Replaced between the look and the reading: what is known belongs to another file.
  if (continued && (identity.inode !== known.identity.inode || identity.size < known.end))
    return readTranscript(path)
  return { path, identity, end, sample: sampleOf(path, end), ...lines.with(readTail(tail, end)) }
}

/** The same file, at least as long, with the same bytes where it was looked. */
function continues(path: string, known: Transcript): boolean {
  using file = readRanges(path)
  const { device, inode } = file.identity
  return (
    device === known.identity.device &&
    inode === known.identity.inode &&
    file.size >= known.end &&
    sampleFrom(file, known.end) === known.sample
  )
}

function sampleOf(path: string, end: number): string {
  using file = readRanges(path)
  return sampleFrom(file, end)
}

function sampleFrom(file: { read(offset: number, length: number): Buffer }, end: number): string {
  const first = file.read(0, Math.min(SAMPLE, end))
  const last = file.read(Math.max(0, end - SAMPLE), Math.min(SAMPLE, end))
  return createHash('sha1').update(first).update(last).digest('hex')
}

/**
 * The bytes after the last newline. A whole row without its newline counts, as it does for the
 * agent; half a row is named as torn and is read again when the file has grown.
 */
function readTail(tail: Buffer, offset: number): Line | null {
  if (tail.length === 0) return null
  const line = readLine(tail, 0, tail.length, offset)
  if (line.damage.length === 0) return line
  return { ...line, damage: line.damage.map((span) => ({ ...span, why: 'torn' as const })) }
}

function collectLines(known: Transcript | undefined): {
  add(line: Line): void
  with(tail: Line | null): Omit<Transcript, 'path' | 'identity' | 'end' | 'sample'>
} {
  // What stood after the last newline is read again: it may have been half a row.
  const before = <T extends { place: number }>(list: T[]): T[] =>
    list.filter(({ place }) => place < known!.end)
  const rows = known ? before(known.rows) : []
  const pointers = known ? before(known.pointers) : []
  const checkpoints = known ? before(known.checkpoints) : []
  const damage = known ? known.damage.filter(({ offset }) => offset < known.end) : []
  const titles = known ? [...known.titles] : []
  let opaque = known?.opaque ?? 0
  const add = (line: Line): void => {
    for (const row of line.rows) rows.push(row)
    for (const pointer of line.pointers) pointers.push(pointer)
    for (const checkpoint of line.checkpoints) checkpoints.push(checkpoint)
    for (const title of line.titles) titles.push(title)
    for (const span of line.damage) damage.push(span)
    opaque += line.opaque
  }
  return {
    add,
    with(tail) {
      if (tail !== null) add({ ...tail, opaque: 0 })
      return { rows, pointers, checkpoints, titles, damage, opaque }
    },
  }
}
