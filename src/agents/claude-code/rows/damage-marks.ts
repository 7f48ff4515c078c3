const QUOTE_OPENING = Buffer.from('{"')

/** How rows begin. No value inside a row begins like this. */
const PARENT_FIRST = Buffer.from('{"parentUuid":')
const TYPE_FIRST = Buffer.from('{"type":"')
/** Row types that come first in their row, by first letter. */
const TYPES = Map.groupBy(
  `last-prompt mode permission-mode queue-operation file-history- tools-used atis-latch cost-state
  api-request custom-title agent-name summary`
    .split(/\s+/)
    .map((type) => Buffer.from(`{"type":"${type}`)),
  (bytes) => bytes[TYPE_FIRST.length]!,
)

/**
 * Searches a line for signs of damage: a zero byte, or a second row that seems to begin inside it,
 * because two writers interleaved or a torn line was continued. Inside a JSON string, quotes are
 * escaped. So a brace followed by a bare quote starts an object or ends a string, and there are few
 * of them to check.
 *
 * Lines of one buffer must be passed in order: the search continues where it stopped, through the
 * whole buffer at once, which is much faster than line by line.
 */
export interface DamageMarks {
  /** Call when the content of the buffer changed. */
  forget(): void
  /** Valid rows contain no zero bytes. */
  hasZero(bytes: Buffer, start: number, end: number): boolean
  /** A true result may be a false positive inside a string. */
  beginsRow(bytes: Buffer, from: number, end: number): boolean
}

export function createDamageMarks(): DamageMarks {
  let zero = -1
  let opening = -1
  return {
    forget() {
      zero = opening = -1
    },
    hasZero(bytes, start, end) {
      if (zero < start) zero = orEnd(bytes, bytes.indexOf(0, start))
      return zero < end
    },
    beginsRow(bytes, from, end) {
      if (opening < from) opening = orEnd(bytes, bytes.indexOf(QUOTE_OPENING, from))
      while (opening < end) {
        if (beginsRow(bytes, opening, end)) return true
        opening = orEnd(bytes, bytes.indexOf(QUOTE_OPENING, opening + 2))
      }
      return false
    },
  }
}

function orEnd(bytes: Buffer, found: number): number {
  return found === -1 ? bytes.length : found
}

/** A brace and a quote that do not end a string, where no value of a row can begin. */
function beginsRow(bytes: Buffer, at: number, end: number): boolean {
  const after = bytes[at + 2]
  if (after === 0x2c || after === 0x3a || after === 0x5d || after === 0x7d) return false // , : ] }
  const before = bytes[at - 1]
  if (before !== 0x3a && before !== 0x2c && before !== 0x5b) return true // neither : nor , nor [
  return looksLikeRow(bytes, at, end)
}

/** Whether the brace and quote at `at` start a row. Ignores bytes after `end`. */
export function looksLikeRow(bytes: Buffer, at: number, end: number): boolean {
  const first = bytes[at + 2]
  if (first === 0x70) return startsAt(bytes, at, end, PARENT_FIRST) // p
  if (first !== 0x74 || !startsAt(bytes, at, end, TYPE_FIRST)) return false // t
  const types = TYPES.get(bytes[at + TYPE_FIRST.length]!)
  return types !== undefined && types.some((type) => startsAt(bytes, at, end, type))
}

/** The start of the next row on a damaged line, or `to`. */
export function findRow(bytes: Buffer, from: number, to: number): number {
  let at = bytes.indexOf(QUOTE_OPENING, from)
  while (at !== -1 && at < to && !looksLikeRow(bytes, at, to))
    at = bytes.indexOf(QUOTE_OPENING, at + 2)
  return at === -1 ? to : Math.min(at, to)
}

function startsAt(bytes: Buffer, at: number, end: number, wanted: Buffer): boolean {
  if (at + wanted.length > end) return false
  for (let i = 2; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false
  return true
}
