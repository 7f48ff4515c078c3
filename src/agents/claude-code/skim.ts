/**
 * Reads the top-level fields of one JSON object without building it. Most bytes of a transcript
 * are tool output inside two or three large rows; parsing them only to learn who is whose parent
 * would make opening a long session ten times slower.
 *
 * `skim` reads the scalars before the first large value and, backwards from the end, those after
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

/** The fields worth decoding. Most of a row's keys and values are not. */
export interface Fields {
  type?: Scalar | typeof NESTED
  subtype?: Scalar | typeof NESTED
  uuid?: Scalar | typeof NESTED
  parentUuid?: Scalar | typeof NESTED
  isSidechain?: Scalar | typeof NESTED
  isMeta?: Scalar | typeof NESTED
  timestamp?: Scalar | typeof NESTED
  message?: Scalar | typeof NESTED
  attachment?: Scalar | typeof NESTED
}

/** What stands at the front of `message`, of its first content block, and of `attachment`. */
export interface Skimmed {
  readonly fields: Fields
  messageId: string | null
  firstBlock: string | null
  call: string | null
  attachmentType: string | null
}

/** Ids, names and times are shorter than this. */
const SHORT = 512

const OPENING = Buffer.from('{"')
/** How rows begin, and no value inside of one. */
const BEGINNINGS = [
  '{"parentUuid":',
  '{"type":"last-prompt"',
  '{"type":"mode"',
  '{"type":"permission-mode"',
  '{"type":"queue-operation"',
  '{"type":"file-history-',
  '{"type":"tools-used"',
  '{"type":"atis-latch"',
  '{"type":"cost-state"',
  '{"type":"api-request',
  '{"type":"custom-title"',
  '{"type":"agent-name"',
  '{"type":"summary"',
].map((text) => Buffer.from(text))

const TOP = namesByLength([
  'type',
  'subtype',
  'uuid',
  'parentUuid',
  'isSidechain',
  'isMeta',
  'timestamp',
  'message',
  'attachment',
] satisfies (keyof Fields)[])
const INNER = namesByLength(['id', 'type', 'content', 'tool_use_id'])

/** Null when the bytes are not one well-formed object as far as was looked. */
export function skim(bytes: Buffer, start: number, end: number): Skimmed | null {
  const fields: Fields = {}
  const row: Skimmed = {
    fields,
    messageId: null,
    firstBlock: null,
    call: null,
    attachmentType: null,
  }
  if (bytes[start] !== OPEN_BRACE || bytes[end - 1] !== CLOSE_BRACE) return null
  const line = bytes.subarray(start, end)
  const whole = line.includes(0) || looksSpliced(line)
  let at = start + 1
  if (bytes[at] === CLOSE_BRACE) return at + 1 === end ? row : null
  let lookedBack = false
  for (;;) {
    const colon = bytes[at] === QUOTE ? skipString(bytes, at, end) : -1
    if (colon === -1 || bytes[colon] !== COLON) return null
    const key = nameOf(TOP, bytes, at + 1, colon - 1)
    at = colon + 1
    if (bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET) {
      if (key !== null) fields[key] = NESTED
      if (key === 'message' || key === 'attachment') skimInner(bytes, at, end, key, row)
      if (!whole && !lookedBack) {
        lookedBack = true
        skimBackwards(bytes, at, end, fields)
      }
      if (!whole && isEnough(fields)) return row
      at = skipNested(bytes, at, end)
    } else {
      const after = skipScalar(bytes, at, end)
      if (after === -1) return null
      if (key !== null) fields[key] = after - at > SHORT ? NESTED : decode(bytes, at, after)
      at = after
    }
    if (at === -1) return null
    if (bytes[at] === COMMA) at++
    else return bytes[at] === CLOSE_BRACE && at + 1 === end ? row : null
  }
}

/**
 * A second row seems to begin inside this one: two writers were spliced, or a torn line was
 * continued. In a text a quote has a backslash before it, so that a brace with a bare quote is the
 * beginning of an object or the end of a text, and there are few of them to look at.
 */
function looksSpliced(line: Buffer): boolean {
  for (let at = line.indexOf(OPENING, 1); at !== -1; at = line.indexOf(OPENING, at + 2)) {
    if (mayFollowString(line[at + 2])) continue
    const before = line[at - 1]
    if (before !== COLON && before !== COMMA && before !== OPEN_BRACKET) return true
    if (BEGINNINGS.some((beginning) => startsAt(line, at, beginning))) return true
  }
  return false
}

function startsAt(line: Buffer, at: number, wanted: Buffer): boolean {
  for (let i = 2; i < wanted.length; i++) if (line[at + i] !== wanted[i]) return false
  return true
}

/** Who it is, whose child, and when: with these a row can stand in the tree. */
function isEnough({ type, uuid, parentUuid, timestamp }: Fields): boolean {
  return (
    type !== undefined && uuid !== undefined && parentUuid !== undefined && timestamp !== undefined
  )
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
    // Tool output is a scalar too: one that does not end soon is not what is looked for here.
    const after = skipScalar(bytes, at, Math.min(end, at + SHORT))
    if (after === -1) return
    if (key !== null) note(row, of, key, decode(bytes, at, after))
    at = after
    if (bytes[at] !== COMMA) return
    at++
  }
}

function note(row: Skimmed, of: string, key: string, value: Scalar | typeof NESTED): void {
  if (typeof value !== 'string') return
  if (of === 'message' && key === 'id') row.messageId = value
  else if (of === 'attachment' && key === 'type') row.attachmentType = value
  else if (of === 'block' && key === 'type') row.firstBlock = value
  else if (of === 'block' && (key === 'id' || key === 'tool_use_id')) row.call = value
}

/** Scalars after the last nested value. An unescaped quote before a closing one is its opening. */
function skimBackwards(bytes: Buffer, floor: number, end: number, fields: Fields): void {
  const found: Fields = {}
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
    if (key !== null && found[key] === undefined)
      fields[key] = found[key] = decode(bytes, from, at + 1)
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
  if (bytes[at] === QUOTE && !bytes.subarray(at, after).includes(BACKSLASH))
    return bytes.toString('utf8', at + 1, after - 1)
  try {
    return JSON.parse(bytes.toString('utf8', at, after)) as Scalar
  } catch {
    return NESTED
  }
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
