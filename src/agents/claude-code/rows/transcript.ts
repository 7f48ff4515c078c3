import { readLines, readRanges, type FileRanges } from '#disk'
import { continues, sampleOf, type FileReading } from '../../grown-file.ts'
import { emptyLine, intoLine, readLine, readLongLine, type Line } from './read-line.ts'

/**
 * A session file as rows. Reading never writes, repairs or re-serialises a line. `readTranscript`
 * continues where the last reading ended, and starts over if the file was replaced.
 */
export interface Transcript extends Readonly<Line>, FileReading {
  readonly path: string
  /** The end of the last complete line. */
  readonly end: number
  /** The part of the counts after `end`, which is read again when the file has grown. */
  readonly tail: Counts
}

/** What a reading found, except where it ended. */
export type Lists = Pick<Line, 'rows' | 'pointers' | 'checkpoints' | 'titles' | 'damage'>

type Counts = Readonly<Pick<Line, 'opaque' | 'opaqueBytes' | 'blankBytes'>>

/** No agent writes a row of 64 MiB; it is reported as damage, not loaded. */
const MAX_LINE = 64 * 1024 * 1024

/** Reuses the lists of `known`: they grow in the result. */
export function readTranscript(path: string, known?: Transcript): Transcript {
  using file = readRanges(path)
  const before = known !== undefined && continues(file, known) ? known : null
  const read = before === null ? emptyLine() : withoutTail(before)
  const { end, tail } = readFrom(file, before?.end ?? 0, read)
  addTail(tail, read)
  const { opaque, opaqueBytes, blankBytes } = tail
  const counts = { opaque, opaqueBytes, blankBytes }
  return { path, identity: file.identity, end, sample: sampleOf(file, end), ...read, tail: counts }
}

/**
 * Reads only what was appended after a reading. Null if the file was rewritten, or if it ends
 * within a line: then all of it must be read.
 */
export function readAppended(known: Omit<Transcript, keyof Lists>): Transcript | null {
  using file = readRanges(known.path)
  if (!continues(file, known)) return null
  const read = emptyLine()
  addCounts(read, known, 1)
  addCounts(read, known.tail, -1)
  const { end } = readFrom(file, known.end, read)
  if (end !== file.size) return null
  const { identity } = file
  const tail = { opaque: 0, opaqueBytes: 0, blankBytes: 0 }
  return { path: known.path, identity, end, sample: sampleOf(file, end), ...read, tail }
}

function readFrom(file: FileRanges, from: number, read: Line): { end: number; tail: Line } {
  const tail = emptyLine()
  const into = intoLine(read)
  const intoTail = intoLine(tail)
  const end = readLines(
    file,
    { from, limit: MAX_LINE },
    {
      line(bytes, start, to, offset) {
        readLine(bytes, start, to, offset, into)
        read.blankBytes++
      },
      rest: (bytes, start, to, offset) => readLine(bytes, start, to, offset, intoTail),
      longLine(ends, { offset, length, whole }) {
        readLongLine(ends, { offset, length }, whole ? into : intoTail)
        if (whole) read.blankBytes++
      },
    },
  )
  return { end, tail }
}

/**
 * Adds the bytes after the last newline. A complete row without its newline counts, as it does for
 * the agent; half a row is reported as torn. Either is read again when the file has grown.
 */
function addTail(tail: Line, read: Line): void {
  for (const span of tail.damage) read.damage.push({ ...span, why: 'torn' })
  read.rows.push(...tail.rows)
  read.pointers.push(...tail.pointers)
  read.checkpoints.push(...tail.checkpoints)
  read.titles.push(...tail.titles)
  addCounts(read, tail, 1)
}

function withoutTail({ end, tail, ...known }: Transcript): Line {
  const { rows, pointers, checkpoints, titles, damage, opaque, opaqueBytes, blankBytes } = known
  for (const list of [rows, pointers, checkpoints, titles])
    while (list.length > 0 && list.at(-1)!.place >= end) list.pop()
  while (damage.length > 0 && damage.at(-1)!.offset >= end) damage.pop()
  const read = { rows, pointers, checkpoints, titles, damage, opaque, opaqueBytes, blankBytes }
  addCounts(read, tail, -1)
  return read
}

function addCounts(read: Line, { opaque, opaqueBytes, blankBytes }: Counts, sign: 1 | -1): void {
  read.opaque += sign * opaque
  read.opaqueBytes += sign * opaqueBytes
  read.blankBytes += sign * blankBytes
}
