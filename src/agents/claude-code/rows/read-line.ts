import { findRow } from './damage-marks.ts'
import { string } from './prompt.ts'
import { chainRow, isChainType, parsedRow, skimSuffices } from './read-row.ts'
import type { CheckpointRow, Pointer, Row, Title } from './row.ts'
import type { Damage } from '../../open-session.ts'
import { createSkim, type Skim } from './skim.ts'

/** What one line of the file contains. Each byte is counted in exactly one of these. */
export interface Line {
  readonly rows: Row[]
  readonly pointers: Pointer[]
  readonly checkpoints: CheckpointRow[]
  readonly titles: Title[]
  readonly damage: Damage[]
  /** Rows of types that Retake does not interpret. */
  opaque: number
  opaqueBytes: number
  /** Spaces, tabs, carriage returns, and the newline at the end, if any. */
  blankBytes: number
}

/** Below this size, a full parse is as fast as a skim. */
const MIN_SKIMMED = 256
/** A prompt with images has some megabytes; of larger rows only both ends are read. */
const MAX_PARSED = 32 * 1024 * 1024
/** How much is read of each end of a line that is too large to parse. */
const END_BYTES = 64 * 1024
/** Stop splitting a damaged line after this many pieces. */
const MAX_PIECES = 64

const OPEN_BRACE = 0x7b
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

export function emptyLine(): Line {
  return {
    rows: [],
    pointers: [],
    checkpoints: [],
    titles: [],
    damage: [],
    opaque: 0,
    opaqueBytes: 0,
    blankBytes: 0,
  }
}

/** The result of reading, and the reader's state. */
export interface Into {
  readonly line: Line
  readonly skim: Skim
}

/** For the lines of one file, which must be passed in order. */
export function intoLine(line: Line = emptyLine()): Into {
  return { line, skim: createSkim() }
}

/**
 * Reads the line in `bytes` from `start` to `end`, which is at `offset` in the file. The agent
 * reads only the first value of a line, and only at its start; rows that Retake finds after damage
 * are marked as skipped.
 */
export function readLine(
  bytes: Buffer,
  start: number,
  end: number,
  offset: number,
  into: Into,
): void {
  const { line } = into
  let from = start
  let to = end
  while (to > from && isBlank(bytes[to - 1]!)) to--
  while (from < to && isBlank(bytes[from]!)) from++
  line.blankBytes += end - start - (to - from)
  if (from === to) return
  const base = offset - start
  if (
    offset === 0 &&
    to - from >= BYTE_ORDER_MARK.length &&
    bytes.indexOf(BYTE_ORDER_MARK, from) === from
  ) {
    line.damage.push({
      offset: base + from,
      length: BYTE_ORDER_MARK.length,
      why: 'byte-order-mark',
    })
    from += BYTE_ORDER_MARK.length
  }
  if (to - from >= MIN_SKIMMED && skimRow(bytes, from, to, base, into)) return
  readValues(bytes, from, to, base, line)
}

/** True if the line is one complete row, as far as a skim can tell. */
function skimRow(
  bytes: Buffer,
  from: number,
  to: number,
  base: number,
  { line, skim }: Into,
): boolean {
  const skimmed = skim(bytes, from, to, base)
  if (skimmed === null) return false
  const at = { place: base + from, length: to - from }
  const row = chainRow(skimmed, at)
  if (row !== null && skimSuffices(skimmed)) {
    line.rows.push(row)
    return true
  }
  // The largest rows of new versions are request records: their type is enough.
  const { type } = skimmed.fields
  if (typeof type !== 'string' || !type.startsWith('api-request')) return false
  addOpaque(at.length, line)
  return true
}

function readValues(bytes: Buffer, from: number, to: number, base: number, line: Line): void {
  let at = from
  let skipped = false
  for (let pieces = 0; at < to; pieces++) {
    const found = pieces < MAX_PIECES ? valueAt(bytes, at, to) : null
    if (found === null) {
      const next = pieces < MAX_PIECES ? findRow(bytes, at + 1, to) : to
      const zeros = bytes.subarray(at, next).includes(0)
      const why = zeros ? 'nul-bytes' : skipped ? 'spliced' : 'not-json'
      line.damage.push({ offset: base + at, length: next - at, why })
      at = next
    } else {
      addValue(found.value, { place: base + at, length: found.end - at }, { line, skipped })
      at = found.end
      while (at < to && isBlank(bytes[at]!)) at++
      line.blankBytes += at - found.end
    }
    skipped = true
  }
}

/** The object that begins at `at`, nearly always the whole line. */
function valueAt(
  bytes: Buffer,
  at: number,
  to: number,
): { value: Record<string, unknown>; end: number } | null {
  if (bytes[at] !== OPEN_BRACE) return null
  const whole = parse(bytes, at, to)
  if (whole !== undefined) return { value: whole, end: to }
  const end = endOfValue(bytes, at, to)
  const value = end === -1 ? undefined : parse(bytes, at, end)
  return value === undefined ? null : { value, end }
}

function endOfValue(bytes: Buffer, at: number, to: number): number {
  let depth = 0
  let quoted = false
  for (let i = at; i < to; i++) {
    const byte = bytes[i]
    if (quoted) {
      if (byte === 0x5c) i++
      else if (byte === 0x22) quoted = false
    } else if (byte === 0x22) quoted = true
    else if (byte === 0x7b || byte === 0x5b) depth++
    else if (byte === 0x7d || byte === 0x5d) {
      depth--
      if (depth === 0) return i + 1
    }
  }
  return -1
}

function parse(bytes: Buffer, from: number, to: number): Record<string, unknown> | undefined {
  const text =
    to - from <= MAX_PARSED
      ? bytes.toString('utf8', from, to)
      : bytes.toString('utf8', from, from + END_BYTES) + bytes.toString('utf8', to - END_BYTES, to)
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/**
 * Reads a line too long for memory. It is nearly always a row around one long string: both ends
 * joined give that row with a shorter string.
 */
export function readLongLine(
  ends: { first: Buffer; last: Buffer },
  at: { offset: number; length: number },
  { line, skim }: Into,
): void {
  line.damage.push({ ...at, why: 'too-long' })
  const { first, last } = ends
  const short = emptyLine()
  const joined = Buffer.concat([first, last])
  readLine(joined, 0, joined.length, at.offset, { line: short, skim })
  const [row] = short.rows
  if (row !== undefined && !row.skipped) {
    line.rows.push({ ...row, place: at.offset, length: at.length })
    return
  }
  // It has many values instead: use the fields before the first and after the last large one.
  const apart = Buffer.concat([first, Buffer.from('":[{"'), last])
  const skimmed = skim(apart, 0, apart.length, at.offset)
  const skimmedRow = skimmed && chainRow(skimmed, { place: at.offset, length: at.length })
  if (skimmedRow) line.rows.push(skimmedRow)
}

function addValue(
  row: Record<string, unknown>,
  at: { place: number; length: number },
  { line, skipped }: { line: Line; skipped: boolean },
): void {
  const { type } = row
  const why = typeof type !== 'string' ? 'no-object' : skipped ? 'spliced' : null
  // Report everything that the agent does not read, even if Retake can.
  if (why !== null) line.damage.push({ offset: at.place, length: at.length, why })
  if (typeof type !== 'string') return
  if (isChainType(type)) line.rows.push(parsedRow(row, type, { ...at, skipped }))
  else if (type === 'file-history-snapshot' || type === 'file-history-delta')
    line.checkpoints.push(at)
  else if (!skipped) addOther(row, type, at, line)
}

function addOther(
  row: Record<string, unknown>,
  type: string,
  at: { place: number; length: number },
  line: Line,
): void {
  const leaf = row['leafUuid']
  const title = titleIn(row, type, at)
  if (type === 'last-prompt' && (typeof leaf === 'string' || leaf === null))
    line.pointers.push({ ...at, leaf, explicit: row['explicit'] === true })
  else if (title !== null) line.titles.push(title)
  else addOpaque(at.length, line)
}

function addOpaque(length: number, line: Line): void {
  line.opaque++
  line.opaqueBytes += length
}

const TITLES: Readonly<Record<string, { kind: Title['kind']; field: string }>> = {
  'custom-title': { kind: 'custom', field: 'customTitle' },
  'ai-title': { kind: 'generated', field: 'aiTitle' },
  summary: { kind: 'summary', field: 'summary' },
}

function titleIn(
  row: Record<string, unknown>,
  type: string,
  at: { place: number; length: number },
): Title | null {
  if (!Object.hasOwn(TITLES, type)) return null
  const { kind, field } = TITLES[type]!
  const text = string(row[field])
  return text === null ? null : { ...at, kind, text }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09
}
