const QUOTE_OPENING = Buffer.from('{"')

/** How rows begin, and no value inside of one. */
const PARENT_FIRST = Buffer.from('{"parentUuid":')
const TYPE_FIRST = Buffer.from('{"type":"')
/** Types of rows that name their type first, by their first letter. */
const TYPES = Map.groupBy(
  `last-prompt mode permission-mode queue-operation file-history- tools-used atis-latch cost-state
  api-request custom-title agent-name summary`
    .split(/\s+/)
    .map((type) => Buffer.from(`{"type":"${type}`)),
  (bytes) => bytes[TYPE_FIRST.length]!,
)

/**
 * Looks for marks of damage in a line: a zero byte, or a second row that seems to begin inside of
 * it, because two writers were spliced or a torn line was continued. In a text a quote
 * has a backslash before it, so that a brace with a bare quote is the beginning of an object or
 * the end of a text, and there are few of them to look at.
 *
 * The lines of one buffer must come in their order: the search goes on where it stopped, through
 * the whole buffer at once, which is much quicker than line by line.
 */
export interface DamageMarks {
  /** The buffer has another content now. */
  forget(): void
  /** Zeros are in no row. */
  hasZero(bytes: Buffer, start: number, end: number): boolean
  /** It may still be only a text that says so. */
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

/** A brace and a quote that are not the end of a text, where no value of a row can begin. */
function beginsRow(bytes: Buffer, at: number, end: number): boolean {
  const after = bytes[at + 2]
  if (after === 0x2c || after === 0x3a || after === 0x5d || after === 0x7d) return false // , : ] }
  const before = bytes[at - 1]
  if (before !== 0x3a && before !== 0x2c && before !== 0x5b) return true // neither : nor , nor [
  return looksLikeRow(bytes, at, end)
}

/** Of an opening brace and quote. Behind `end` stands what is of no concern. */
export function looksLikeRow(bytes: Buffer, at: number, end: number): boolean {
  const first = bytes[at + 2]
  if (first === 0x70) return startsAt(bytes, at, end, PARENT_FIRST) // p
  if (first !== 0x74 || !startsAt(bytes, at, end, TYPE_FIRST)) return false // t
  const types = TYPES.get(bytes[at + TYPE_FIRST.length]!)
  return types !== undefined && types.some((type) => startsAt(bytes, at, end, type))
}

/** Where the next row begins on a damaged line, or `to`. */
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
