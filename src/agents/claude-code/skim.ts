import { createDamageMarks, looksLikeRow, type DamageMarks } from './damage-marks.ts'
import {
  CLOSE_BRACE,
  COLON,
  COMMA,
  isLiteral,
  OPEN_BRACE,
  OPEN_BRACKET,
  openingQuote,
  QUOTE,
  skipNested,
  skipScalar,
  skipString,
} from './json-bytes.ts'
import {
  decode,
  isAgain,
  nameOf,
  namesByLength,
  NESTED,
  remember,
  remembered,
  type Remembered,
  type SkimmedValue,
} from './skim-value.ts'

/**
 * Reads the top-level fields of one JSON object without building it. Most bytes of a transcript
 * are tool output inside two or three large rows; parsing them only to learn who is whose parent
 * would make opening a long session ten times slower.
 *
 * A skim reads the scalars before the first large value and, backwards from the end, those after
 * the last one. It walks the bytes between only when a wanted field has not been seen, or when
 * the line shows marks of damage. What it cannot read it leaves to JSON.parse.
 */

/** The fields worth decoding. Most of a row's keys and values are not. */
export interface Fields {
  type: SkimmedValue | undefined
  uuid: SkimmedValue | undefined
  parentUuid: SkimmedValue | undefined
  isSidechain: SkimmedValue | undefined
  timestamp: SkimmedValue | undefined
  message: SkimmedValue | undefined
  attachment: SkimmedValue | undefined
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
/** What follows the last wanted field of a row is a few names: where, by which version. */
const LONGEST_END = 1024

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

/** What is read now, and what the rows before had: the next one mostly has some of it again. */
interface Reading {
  readonly row: Skimmed
  readonly marks: DamageMarks
  readonly uuid: Remembered
  readonly message: Remembered
  readonly call: Remembered
  /** The end of a row behind its last wanted field: the same in all rows, in most files. */
  lastEnd: Buffer
}

/** One for each file that is read. */
export function createSkim(): Skim {
  const row: Skimmed = {
    fields: emptyFields(),
    messageId: null,
    firstBlock: null,
    call: null,
    attachmentType: null,
  }
  const marks = createDamageMarks()
  const [uuid, message, call] = [remembered(), remembered(), remembered()]
  const reading: Reading = { row, marks, uuid, message, call, lastEnd: Buffer.alloc(0) }
  let known: Buffer | null = null
  let knownBase = -1
  return (bytes, start, end, base) => {
    if (bytes[start] !== OPEN_BRACE || bytes[end - 1] !== CLOSE_BRACE) return null
    clear(row.fields)
    row.messageId = row.firstBlock = row.call = row.attachmentType = null
    if (bytes !== known || base !== knownBase) {
      known = bytes
      knownBase = base
      marks.forget()
      uuid.length = message.length = call.length = 0
    }
    if (marks.hasZero(bytes, start, end)) return null
    return readObject(bytes, start, end, reading) ? row : null
  }
}

function readObject(bytes: Buffer, start: number, end: number, reading: Reading): boolean {
  const { fields } = reading.row
  let at = start + 1
  if (bytes[at] === CLOSE_BRACE) return at + 1 === end
  let whole = end - start < WALKED
  let isFirst = true
  for (;;) {
    const colon = bytes[at] === QUOTE ? skipString(bytes, at, end) : -1
    if (colon === -1 || bytes[colon] !== COLON) return false
    const key = nameOf(TOP, bytes, at + 1, colon - 1)
    at = colon + 1
    if (bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET) {
      if (key !== null) setField(fields, key, NESTED)
      let sound = at
      if (key === 'message' || key === 'attachment') sound = skimInner(bytes, at, end, key, reading)
      if (!whole && isFirst) {
        isFirst = false
        // No row begins in what was walked so far.
        whole = reading.marks.beginsRow(bytes, sound, end)
        if (!whole) skimBackwards(bytes, at, end, reading)
      }
      if (!whole && isEnough(fields)) return true
      at = skipNested(bytes, at, end)
    } else {
      const isLast = key === 'parentUuid' && isAgain(bytes, at, end, reading.uuid)
      const after = isLast ? at + reading.uuid.length : skipScalar(bytes, at, end)
      if (after === -1) return false
      if (isLast) fields.parentUuid = reading.uuid.text
      else if (key !== null)
        setField(fields, key, after - at > SHORT ? NESTED : decode(bytes, at, after))
      if (key === 'uuid') remember(reading.uuid, fields.uuid, at, after)
      at = after
    }
    if (at === -1) return false
    if (bytes[at] !== COMMA) return bytes[at] === CLOSE_BRACE && at + 1 === end
    if (endsAsLast(bytes, at, end, reading)) return true
    at++
  }
}

function endsAsLast(bytes: Buffer, at: number, end: number, { lastEnd }: Reading): boolean {
  if (lastEnd.length === 0 || lastEnd.length !== end - at) return false
  return bytes.compare(lastEnd, 0, lastEnd.length, at, end) === 0
}

/** Read forwards it comes out the same: an escaped quote behind a key is seen only then. */
function isSoundEnd(bytes: Buffer, start: number, end: number): boolean {
  let at = start
  while (bytes[at] === COMMA && bytes[at + 1] === QUOTE) {
    const colon = skipString(bytes, at + 1, end)
    if (colon === -1 || bytes[colon] !== COLON) return false
    at = skipScalar(bytes, colon + 1, end)
  }
  return bytes[at] === CLOSE_BRACE && at + 1 === end
}

function setField(fields: Fields, key: keyof Fields, value: SkimmedValue): void {
  // A store by a name that is only known at run time is several times as slow.
  switch (key) {
    case 'type':
      fields.type = value
      break
    case 'uuid':
      fields.uuid = value
      break
    case 'parentUuid':
      fields.parentUuid = value
      break
    case 'isSidechain':
      fields.isSidechain = value
      break
    case 'timestamp':
      fields.timestamp = value
      break
    case 'message':
      fields.message = value
      break
    case 'attachment':
      fields.attachment = value
      break
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

/**
 * The scalars at the front of a nested object, and those of the first block of its `content`.
 * Gives the position up to which the bytes were walked and no other row begins.
 */
function skimInner(
  bytes: Buffer,
  open: number,
  end: number,
  of: 'message' | 'attachment' | 'block',
  reading: Reading,
): number {
  const { row } = reading
  const sound = bytes[open + 1] === QUOTE && looksLikeRow(bytes, open) ? open : -1
  let at = open + 1
  while (at < end && bytes[at] === QUOTE) {
    const colon = skipString(bytes, at, end)
    if (colon === -1 || bytes[colon] !== COLON) break
    const key = nameOf(INNER, bytes, at + 1, colon - 1)
    at = colon + 1
    if (bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET) {
      if (key !== 'content' || of !== 'message' || bytes[at + 1] !== OPEN_BRACE) break
      const after = skimInner(bytes, at + 1, end, 'block', reading)
      if (bytes[at] === OPEN_BRACKET) at = after
      break
    }
    if (of === 'block' && isBlockKnown(row)) break
    const after = key === null ? skipSoon(bytes, at, end) : note(bytes, at, end, of, key, reading)
    if (after === -1 || bytes[after] !== COMMA) break
    at = after + 1
  }
  return sound === -1 ? at : sound
}

/** Tool output is a scalar too: one that does not end soon is not what is looked for here. */
function skipSoon(bytes: Buffer, at: number, end: number): number {
  return skipScalar(bytes, at, Math.min(end, at + SHORT))
}

/** Only calls and results have an id; of all other blocks the type is enough. */
function isBlockKnown({ firstBlock, call }: Skimmed): boolean {
  return firstBlock !== null && (call !== null || !firstBlock.startsWith('tool_'))
}

/** Takes the value at `at` if it is wanted; the position after it, -1 when it does not end. */
function note(
  bytes: Buffer,
  at: number,
  end: number,
  of: 'message' | 'attachment' | 'block',
  key: 'id' | 'type' | 'content' | 'tool_use_id',
  { row, message, call }: Reading,
): number {
  const isType = key === 'type'
  const last = of === 'message' ? message : call
  if (!isType && isAgain(bytes, at, end, last)) {
    if (of === 'message' && key === 'id') row.messageId = last.text
    else if (of === 'block' && key !== 'content') row.call = last.text
    return at + last.length
  }
  const after = skipSoon(bytes, at, end)
  if (after === -1 || bytes[at] !== QUOTE) return after
  const isWanted = of === 'message' ? key === 'id' : of === 'block' ? key !== 'content' : isType
  const value = isWanted ? decode(bytes, at, after) : null
  if (typeof value !== 'string') return after
  if (of === 'attachment') row.attachmentType = value
  else if (isType) row.firstBlock = value
  else {
    if (of === 'message') row.messageId = value
    else row.call = value
    remember(last, value, at, after)
  }
  return after
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
function skimBackwards(bytes: Buffer, floor: number, end: number, reading: Reading): void {
  const { fields } = reading.row
  const { length } = reading.lastEnd
  const isKnown = end - length - 1 > floor && endsAsLast(bytes, end - length, end, reading)
  let found = 0
  let at = isKnown ? end - length - 1 : end - 2 // the last byte of the last value
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
    if (key !== null) {
      if (found === 0 && !isKnown && end - at <= LONGEST_END && isSoundEnd(bytes, at + 1, end))
        reading.lastEnd = Buffer.from(bytes.subarray(at + 1, end))
      // Of a key that stands there twice the last one counts, as for JSON.parse.
      const bit = BITS[key]
      if ((found & bit) === 0) {
        setField(fields, key, decode(bytes, from, at + 1))
        if (key === 'uuid') remember(reading.uuid, fields.uuid, from, at + 1)
      }
      found |= bit
    }
    at = keyFrom - 2
  }
}
