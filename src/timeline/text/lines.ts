/**
 * A file as lines of bytes, not characters: a Latin-1 file, or one with an invalid sequence, must
 * stay the same byte for byte, and decoding would replace such bytes.
 *
 * Lines end at LF only (sem.M3). Properties of the whole file (byte order mark, style of line ends,
 * final newline) are separate, so that they can be merged separately.
 */
export interface Lines {
  readonly bytes: Uint8Array
  /** The start and end of each line, without its LF. A CR before the LF is part of the line. */
  readonly starts: ArrayLike<number>
  readonly ends: ArrayLike<number>
  readonly bom: boolean
  /** `undefined`: no line of this file is terminated, so it has no style. */
  readonly lineEnds: LineEnds | undefined
  /** `undefined`: the file has no lines, so it says nothing about a final newline. */
  readonly finalNewline: boolean | undefined
}

export type LineEnds = 'lf' | 'crlf' | 'mixed'

/** Half-open, from 0. */
export interface Range {
  readonly from: number
  readonly to: number
}

export const LF = 10
export const CR = 13
export const UTF8_BOM: readonly number[] = [0xef, 0xbb, 0xbf]

export function splitLines(bytes: Uint8Array): Lines {
  const starts: number[] = []
  const ends: number[] = []
  let crlf = 0
  let terminated = 0
  let at = startOf(bytes)
  while (at < bytes.length) {
    // Lines are short, so a native search per line is slower than this loop.
    let end = at
    while (end < bytes.length && bytes[end] !== LF) end++
    starts.push(at)
    ends.push(end)
    if (end < bytes.length) {
      terminated++
      if (end > at && bytes[end - 1] === CR) crlf++
    }
    at = end + 1
  }
  return { bytes, starts, ends, ...styleOf({ bytes, lines: starts.length, terminated, crlf }) }
}

/** The start of the first line, after a byte order mark if there is one. */
export function startOf(bytes: Uint8Array): number {
  return UTF8_BOM.every((byte, index) => bytes[index] === byte) ? UTF8_BOM.length : 0
}

/** The properties of the whole file, from its number of lines, terminated lines and CRLF lines. */
export function styleOf({
  bytes,
  lines,
  terminated,
  crlf,
}: {
  bytes: Uint8Array
  lines: number
  terminated: number
  crlf: number
}): Pick<Lines, 'bom' | 'lineEnds' | 'finalNewline'> {
  return {
    bom: startOf(bytes) > 0,
    lineEnds:
      terminated === 0 ? undefined : crlf === 0 ? 'lf' : crlf === terminated ? 'crlf' : 'mixed',
    finalNewline: lines === 0 ? undefined : terminated === lines,
  }
}

/** Whether some lines end in LF and others in CRLF. */
export function hasMixedEnds(bytes: Uint8Array): boolean {
  return bytes.includes(CR) && splitLines(bytes).lineEnds === 'mixed'
}

export function isBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0)
}

/**
 * Which part of a line is compared:
 * `text` ignores the line end, for files with a uniform style;
 * `with-cr` includes the CR, for files with mixed line ends;
 * `whole` also includes the LF, so that a missing final newline counts as a change.
 */
export type Compared = 'text' | 'with-cr' | 'whole'

/** The end of the compared part of a line. It starts at `lines.starts[index]`. */
export function lineEnd(lines: Lines, index: number, compared: Compared): number {
  const end = lines.ends[index]!
  const terminated = end < lines.bytes.length
  if (compared === 'whole') return terminated ? end + 1 : end
  // A CR without LF is text. Otherwise `x` and `x\r` at the end of a file would be equal.
  const cut = compared === 'text' && terminated && end > lines.starts[index]!
  return cut && lines.bytes[end - 1] === CR ? end - 1 : end
}

/** A run of lines taken from one file. */
export interface Piece {
  readonly source: Lines
  readonly range: Range
}

export interface Written {
  readonly bom: boolean
  readonly lineEnds: LineEnds
  readonly finalNewline: boolean
}

/** Joins pieces of several files into one. `mixed` keeps each line's own CR. */
export function joinLines(pieces: readonly Piece[], style: Written): Uint8Array {
  const compared: Compared = style.lineEnds === 'mixed' ? 'with-cr' : 'text'
  const end = style.lineEnds === 'crlf' ? [CR, LF] : [LF]
  const filled = pieces.filter(({ range }) => range.from < range.to)
  const size = filled.reduce((sum, piece) => sum + spaceFor(piece), UTF8_BOM.length)
  const out = new Uint8Array(size)
  let at = 0
  function copy(bytes: Uint8Array, from: number, to: number) {
    out.set(bytes.subarray(from, to), at)
    at += to - from
    for (const byte of end) out[at++] = byte
  }

  if (style.bom) {
    out.set(UTF8_BOM, 0)
    at = UTF8_BOM.length
  }
  for (const { source, range } of filled) {
    if (compared === 'with-cr' || source.lineEnds === style.lineEnds) {
      // The line ends inside the run are already right, so copy it at once.
      copy(source.bytes, source.starts[range.from]!, lineEnd(source, range.to - 1, compared))
      continue
    }
    for (let index = range.from; index < range.to; index++)
      copy(source.bytes, source.starts[index]!, lineEnd(source, index, compared))
  }
  if (filled.length > 0 && !style.finalNewline) at -= end.length
  return out.slice(0, at)
}

/** Enough space for the lines of a piece with the longest line end. */
function spaceFor({ source, range }: Piece): number {
  return source.ends[range.to - 1]! - source.starts[range.from]! + 2 * (range.to - range.from)
}
