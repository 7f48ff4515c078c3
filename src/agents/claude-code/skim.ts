import { createDamageMarks } from './damage-marks.ts'

/**
 * Reads the top-level fields of one JSON object without building it. Most bytes of a transcript
 * are tool output inside two or three large rows; parsing them only to learn who is whose parent
 * would make opening a long session ten times slower.
 *
 * A skim reads the scalars before the first large value and, backwards from the end, those after
 * the last one. It walks the bytes between only when a wanted field has not been seen, or when
 * the line shows marks of damage. What it cannot read it leaves to JSON.parse.
 */

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

type Scalar = string | number | boolean | null

/** Stands for a nested or very long value: it is there, and nobody has looked inside. */
export const NESTED = Symbol('nested')

type Seen = Scalar | typeof NESTED | undefined

/** The fields worth decoding. Most of a row's keys and values are not. */
export interface Fields {
  type: Seen
  uuid: Seen
  parentUuid: Seen
  isSidechain: Seen
  timestamp: Seen
  message: Seen
  attachment: Seen
}

/** What stands at the front of `message`, of its first content block, and of `attachment`. */
export interface Skimmed {
  readonly fields: Fields
  messageId: string | null
  firstBlock: string | null
  call: string | null
  attachmentType: string | null
}

/**
 * Null when the bytes from `start` to `end` are not one well-formed object as far as was looked.
 * What is returned is written over by the next call. `base` is the place in the file of the
 * buffer's first byte; lines of one buffer must come in their order.
 */
export type Skim = (bytes: Buffer, start: number, end: number, base: number) => Skimmed | null

/** Below this a row is walked to its end, which costs little and finds more damage. */
const WALKED = 1024
/** Ids, names and times are shorter than this. */
const SHORT = 512

const TOP = namesByLength([
  'type',
  'uuid',
  'parentUuid',
  'isSidechain',
  'timestamp',
  'message',
  'attachment',
] satisfies (keyof Fields)[])
const INNER = namesByLength(['id', 'type', 'content', 'tool_use_id'])
/** What types nearly always are: found again instead of made anew. */
const VALUES = namesByLength(['user', 'assistant', 'attachment', 'text', 'tool_use', 'tool_result', 'message', 'thinking']) // prettier-ignore

/** One for each file that is read. */
export function createSkim(): Skim {
  const findMark = createDamageMarks()
  const row: Skimmed = {
    fields: emptyFields(),
    messageId: null,
    firstBlock: null,
    call: null,
    attachmentType: null,
  }
  return (bytes, start, end, base) => {
    if (bytes[start] !== OPEN_BRACE || bytes[end - 1] !== CLOSE_BRACE) return null
    clear(row.fields)
    row.messageId = row.firstBlock = row.call = row.attachmentType = null
    const mark = findMark(bytes, start, end, base)
    if (mark === 'zeros') return null
    const whole = mark !== null || end - start < WALKED
    return readObject(bytes, start, end, { row, whole }) ? row : null
  }
}

function readObject(
  bytes: Buffer,
  start: number,
  end: number,
  { row, whole }: { row: Skimmed; whole: boolean },
): boolean {
  const { fields } = row
  let at = start + 1
  if (bytes[at] === CLOSE_BRACE) return at + 1 === end
  let lookedBack = false
  for (;;) {
    const colon = bytes[at] === QUOTE ? skipString(bytes, at, end) : -1
    if (colon === -1 || bytes[colon] !== COLON) return false
    const key = nameOf(TOP, bytes, at + 1, colon - 1)
    at = colon + 1
    if (bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET) {
      if (key !== null) fields[key] = NESTED
      if (key === 'message' || key === 'attachment') skimInner(bytes, at, end, key, row)
      if (!whole && !lookedBack) {
        lookedBack = true
        skimBackwards(bytes, at, end, fields)
      }
      if (!whole && isEnough(fields)) return true
      at = skipNested(bytes, at, end)
    } else {
      const after = skipScalar(bytes, at, end)
      if (after === -1) return false
      if (key !== null) fields[key] = after - at > SHORT ? NESTED : decode(bytes, at, after)
      at = after
    }
    if (at === -1) return false
    if (bytes[at] === COMMA) at++
    else return bytes[at] === CLOSE_BRACE && at + 1 === end
  }
}

function emptyFields(): Fields {
  const none = undefined
  return {
    type: none,
    uuid: none,
    parentUuid: none,
    isSidechain: none,
    timestamp: none,
    message: none,
    attachment: none,
  }
}

function clear(fields: Fields): void {
  fields.type = fields.uuid = fields.parentUuid = fields.isSidechain = undefined
  fields.timestamp = fields.message = fields.attachment = undefined
}

/** Who it is, whose child, when, and what it holds: with these a row can stand in the tree. */
function isEnough({ type, uuid, parentUuid, timestamp, message, attachment }: Fields): boolean {
  const hasHead = uuid !== undefined && parentUuid !== undefined && timestamp !== undefined
  if (!hasHead || type === undefined) return false
  return type === 'attachment' ? attachment !== undefined : message !== undefined
}

/** The scalars at the front of a nested object, and those of the first block of its `content`. */
function skimInner(
  bytes: Buffer,
  open: number,
  end: number,
  of: 'message' | 'attachment' | 'block',
  row: Skimmed,
): void {
  let at = open + 1
  while (at < end && bytes[at] === QUOTE) {
    const colon = skipString(bytes, at, end)
    if (colon === -1 || bytes[colon] !== COLON) return
    const key = nameOf(INNER, bytes, at + 1, colon - 1)
    at = colon + 1
    if (bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET) {
      if (key === 'content' && of === 'message' && bytes[at + 1] === OPEN_BRACE)
        skimInner(bytes, at + 1, end, 'block', row)
      return
    }
    if (of === 'block' && isBlockKnown(row)) return
    // Tool output is a scalar too: one that does not end soon is not what is looked for here.
    const after = skipScalar(bytes, at, Math.min(end, at + SHORT))
    if (after === -1) return
    if (key !== null) note(row, of, key, decode(bytes, at, after))
    at = after
    if (bytes[at] !== COMMA) return
    at++
  }
}

/** Only calls and results have an id; of all other blocks the type is enough. */
function isBlockKnown({ firstBlock, call }: Skimmed): boolean {
  return firstBlock !== null && (call !== null || !firstBlock.startsWith('tool_'))
}

function note(row: Skimmed, of: string, key: string, value: Scalar | typeof NESTED): void {
  if (typeof value !== 'string') return
  if (of === 'message' && key === 'id') row.messageId = value
  else if (of === 'attachment' && key === 'type') row.attachmentType = value
  else if (of === 'block' && key === 'type') row.firstBlock = value
  else if (of === 'block' && (key === 'id' || key === 'tool_use_id')) row.call = value
}

const BITS: Readonly<Record<keyof Fields, number>> = {
  type: 1,
  uuid: 2,
  parentUuid: 4,
  isSidechain: 8,
  timestamp: 16,
  message: 32,
  attachment: 64,
}

/** Scalars after the last nested value. An unescaped quote before a closing one is its opening. */
function skimBackwards(bytes: Buffer, floor: number, end: number, fields: Fields): void {
  let found = 0
  let at = end - 2 // the last byte of the last value
  while (at > floor) {
    let from: number
    if (bytes[at] === QUOTE) from = openingQuote(bytes, at, floor)
    else {
      if (!isLiteral(bytes[at]!)) return // a nested value ends here
      from = at
      while (from > floor && isLiteral(bytes[from - 1]!)) from--
    }
    if (from <= floor || bytes[from - 1] !== COLON || bytes[from - 2] !== QUOTE) return
    const keyFrom = openingQuote(bytes, from - 2, floor)
    if (keyFrom <= floor || bytes[keyFrom - 1] !== COMMA) return
    const key = nameOf(TOP, bytes, keyFrom + 1, from - 2)
    // Of a key that stands there twice the last one counts, as for JSON.parse.
    const bit = key === null ? 0 : BITS[key]
    if (key !== null && (found & bit) === 0) fields[key] = decode(bytes, from, at + 1)
    found |= bit
    at = keyFrom - 2
  }
}

function openingQuote(bytes: Buffer, closing: number, floor: number): number {
  for (let at = closing - 1; at > floor; at--)
    if (bytes[at] === QUOTE && !isEscaped(bytes, at, floor)) return at
  return -1
}

function isEscaped(bytes: Buffer, at: number, floor: number): boolean {
  let slashes = 0
  while (at - 1 - slashes > floor && bytes[at - 1 - slashes] === BACKSLASH) slashes++
  return slashes % 2 === 1
}

/** The position after the closing quote of the string that opens at `at`; -1 when it never ends. */
function skipString(bytes: Buffer, at: number, end: number): number {
  let i = at + 1
  // Short strings are quicker byte by byte; a base64 picture is quicker by the native search.
  const near = Math.min(end, i + 256)
  while (i < near) {
    const byte = bytes[i]!
    if (byte === QUOTE) return i + 1
    i += byte === BACKSLASH ? 2 : 1
  }
  while (i < end) {
    const quote = bytes.indexOf(QUOTE, i)
    if (quote === -1 || quote >= end) return -1
    let slashes = 0
    while (quote - 1 - slashes >= i && bytes[quote - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote + 1
    i = quote + 1
    const soon = Math.min(end, i + 256)
    while (i < soon) {
      const byte = bytes[i]!
      if (byte === QUOTE) return i + 1
      i += byte === BACKSLASH ? 2 : 1
    }
  }
  return -1
}

/**
 * The position after the nested value that opens at `at`. Counts depth instead of recursing: a
 * value five million deep would overflow the stack. A string must be followed by a separator,
 * which is what a spliced line breaks first.
 */
function skipNested(bytes: Buffer, at: number, end: number): number {
  let depth = 0
  let i = at
  while (i < end) {
    const byte = bytes[i]!
    if (byte === QUOTE) {
      i = skipString(bytes, i, end)
      if (i === -1 || !mayFollowString(bytes[i])) return -1
      continue
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--
      if (depth === 0) return i + 1
    }
    i++
  }
  return -1
}

function mayFollowString(byte: number | undefined): boolean {
  return byte === COLON || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET
}

function isLiteral(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) || // a to z
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x45
  )
}

function skipScalar(bytes: Buffer, at: number, end: number): number {
  if (bytes[at] === QUOTE) return skipString(bytes, at, end)
  let after = at
  while (after < end && isLiteral(bytes[after]!)) after++
  return after === at ? -1 : after
}

/** The value in these bytes; NESTED when it is no JSON after all, which the full parse will say. */
function decode(bytes: Buffer, at: number, after: number): Scalar | typeof NESTED {
  const literal = LITERALS.get(bytes[at]!)
  if (literal !== undefined && after - at === literal.length) return literal.value
  if (bytes[at] === QUOTE && isPlain(bytes, at + 1, after))
    return nameOf(VALUES, bytes, at + 1, after - 1) ?? bytes.toString('latin1', at + 1, after - 1)
  try {
    return JSON.parse(bytes.toString('utf8', at, after)) as Scalar
  } catch {
    return NESTED
  }
}

/** By their first letter and length; a row with another word there is no row of an agent's. */
const LITERALS: ReadonlyMap<number, { length: number; value: boolean | null }> = new Map([
  [0x74, { length: 4, value: true }],
  [0x66, { length: 5, value: false }],
  [0x6e, { length: 4, value: null }],
])

/** ASCII without escapes or control characters, which is what ids, names and times are. */
function isPlain(bytes: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if (byte === BACKSLASH || byte >= 0x80 || byte < 0x20) return false
  }
  return true
}

interface Name<Text extends string> {
  readonly text: Text
  readonly bytes: Buffer
}

function namesByLength<const Text extends string>(names: readonly Text[]): Name<Text>[][] {
  const table: Name<Text>[][] = []
  for (const text of names) (table[text.length] ??= []).push({ text, bytes: Buffer.from(text) })
  return table
}

function nameOf<Text extends string>(
  table: Name<Text>[][],
  bytes: Buffer,
  from: number,
  to: number,
): Text | null {
  const candidates = table[to - from]
  if (candidates === undefined) return null
  next: for (const { text, bytes: wanted } of candidates) {
    for (let i = 0; i < wanted.length; i++) if (bytes[from + i] !== wanted[i]) continue next
    return text
  }
  return null
}
