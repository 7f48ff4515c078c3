/**
 * A file as lines of bytes. Bytes and not characters: a Latin-1 file, or one with a broken
 * sequence in it, must come back byte for byte, and decoding would replace what it cannot read.
 *
 * Lines end at LF only (sem.M3). What belongs to the whole file and not to a line (the byte order
 * mark, the style of line ends, the newline at the end) is kept apart, so that it can be merged
 * apart.
 */
export interface Lines {
  readonly bytes: Uint8Array
  /** Where each line starts, and where it ends without its LF. A CR before the LF is inside. */
  readonly starts: ArrayLike<number>
  readonly ends: ArrayLike<number>
  readonly bom: boolean
  /** `undefined`: no line of this file ends, so it has no style. */
  readonly lineEnds: LineEnds | undefined
  /** `undefined`: the file has no line, so nobody decided about its last newline. */
  readonly finalNewline: boolean | undefined
}

export type LineEnds = 'lf' | 'crlf' | 'mixed'

/** Half open, counted from 0. */
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
    // Lines are short: to call the native search for each costs more than to look byte by byte.
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

/** Where the first line starts: after the byte order mark, if there is one. */
export function startOf(bytes: Uint8Array): number {
  return UTF8_BOM.every((byte, index) => bytes[index] === byte) ? UTF8_BOM.length : 0
}

/** What belongs to the whole file, from its lines, those that end, and those that end in CR LF. */
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

/** Whether some of its lines end in LF and some in CR LF. */
export function hasMixedEnds(bytes: Uint8Array): boolean {
  return bytes.includes(CR) && splitLines(bytes).lineEnds === 'mixed'
}

export function isBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0)
}

/**
 * What of a line counts when lines are compared:
 * `text` leaves out the whole line end, for files that each have one style;
 * `with-cr` keeps the CR, for files with mixed line ends, where it is the line's own;
 * `whole` keeps the LF too, so that a missing newline at the end shows as a change.
 */
export type Compared = 'text' | 'with-cr' | 'whole'

/** Where the compared part of a line ends; it starts at `lines.starts[index]`. */
export function lineEnd(lines: Lines, index: number, compared: Compared): number {
  const end = lines.ends[index]!
  const terminated = end < lines.bytes.length
  if (compared === 'whole') return terminated ? end + 1 : end
  // A CR that no LF follows is text: without this, `x` and `x\r` at the end would be one line.
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
      // The line ends inside the run are already the wanted ones: one copy for all of it.
      copy(source.bytes, source.starts[range.from]!, lineEnd(source, range.to - 1, compared))
      continue
    }
    for (let index = range.from; index < range.to; index++)
      copy(source.bytes, source.starts[index]!, lineEnd(source, index, compared))
  }
  if (filled.length > 0 && !style.finalNewline) at -= end.length
  return out.slice(0, at)
}

/** Enough for the lines of a piece with the longest line end there is. */
function spaceFor({ source, range }: Piece): number {
  return source.ends[range.to - 1]! - source.starts[range.from]! + 2 * (range.to - range.from)
}
