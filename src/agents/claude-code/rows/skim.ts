import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipNested,
  skipString,
} from './json-bytes.ts'
import { createReading, readScalar, TOP, type Reading } from './reading.ts'
import { viewOf, WORD } from './row-texts.ts'
import { learnEnd, readEnd } from './skim-end.ts'
import { skimInner } from './skim-inner.ts'
import { nameOf, NESTED } from './skim-value.ts'
import { BITS, clear, copyOf, isEnough, setField, type Fields, type Skimmed } from './skimmed.ts'

/**
 * Reads the top-level fields of one JSON object without building it. Most bytes of a transcript are
 * tool output inside two or three large values per row. Parsing them only to find the parents of
 * rows would make opening a long session ten times slower.
 *
 * A skim reads the scalars before the first large value and, backwards from the end, those after
 * the last one. It walks the bytes between only if a needed field is missing, or if the line shows
 * signs of damage. It leaves everything else to JSON.parse. Rows that match an earlier one are not
 * even walked (see row-patterns).
 */

/**
 * Null if the bytes from `start` to `end` are not one well-formed object, as far as was checked.
 * The next call overwrites the result. `base` is the file offset of the buffer's first byte; lines
 * of one buffer must be passed in order.
 */
export type Skim = (bytes: Buffer, start: number, end: number, base: number) => Skimmed | null

/** Shorter rows are walked to the end, which costs little and finds more damage. */
const MAX_WALKED = 1024

/** Create one per file. */
export function createSkim(): Skim {
  const reading = createReading()
  const { row, marks, texts } = reading
  let knownBase = -1
  return (bytes, start, end, base) => {
    if (bytes[start] !== OPEN_BRACE || bytes[end - 1] !== CLOSE_BRACE) return null
    if (bytes !== reading.view.bytes || base !== knownBase) {
      if (bytes !== reading.view.bytes) reading.view = viewOf(bytes)
      knownBase = base
      marks.forget()
      texts.forget()
    }
    if (marks.hasZero(bytes, start, end)) return null
    return readObject(bytes, start, end, reading) ? row : null
  }
}

function readObject(bytes: Buffer, start: number, end: number, reading: Reading): boolean {
  if (!readHead(bytes, start, end, reading)) return false
  if (reading.nested === -1) return true
  const { row, marks, goOn, depth, sound } = reading
  const whole = end - start < MAX_WALKED || marks.beginsRow(bytes, sound, end)
  if (!whole) {
    readEnd(bytes, reading.nested, end, reading)
    if (isEnough(row)) return true
  }
  return walkOn(bytes, skipNested(bytes, goOn, end, depth), end, whole, reading)
}

/** Reads up to the first nested value and into it. False if this is not an object. */
function readHead(bytes: Buffer, start: number, end: number, reading: Reading): boolean {
  const { row, heads, view } = reading
  const known = heads.fit(view, start, 0, end - start - WORD, row)
  if (known !== null) {
    reading.nested = start + known.found.nested
    reading.goOn = reading.sound = start + known.found.sound
    reading.depth = known.found.depth
    return true
  }
  clear(row)
  reading.places.length = 0
  reading.headEnd = reading.nested = -1
  let at = start + 1
  if (bytes[at] === CLOSE_BRACE) return at + 1 === end
  for (;;) {
    const colon = bytes[at] === QUOTE ? skipString(bytes, at, end) : -1
    if (colon === -1 || bytes[colon] !== COLON) return false
    const key = nameOf(TOP, bytes, at + 1, colon - 1)
    at = colon + 1
    if (bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET) {
      reading.nested = reading.goOn = at
      reading.depth = 0
      reading.sound = readNested(bytes, at, end, key, reading)
      learnHead(bytes, start, reading)
      return true
    }
    at = readScalar(bytes, at, end, key, reading)
    if (at === -1) return false
    if (bytes[at] !== COMMA) return bytes[at] === CLOSE_BRACE && at + 1 === end
    at++
  }
}

function learnHead(bytes: Buffer, start: number, reading: Reading): void {
  const { row, view, places, headEnd, nested, sound } = reading
  if (headEnd === -1) return
  reading.heads.learn(view, { from: start, to: headEnd }, places, {
    row: copyOf(row),
    nested: nested - start,
    sound: sound - start,
    depth: depthAt(bytes, nested, sound),
  })
}

/** Walks on after the first nested value until enough is known, or to the end if `whole`. */
function walkOn(
  bytes: Buffer,
  from: number,
  end: number,
  whole: boolean,
  reading: Reading,
): boolean {
  const { row, ends, view, places } = reading
  let at = from
  let endFrom = from
  let bits = 0
  places.length = 0
  for (;;) {
    if (at === -1) return false
    if (bytes[at] !== COMMA) {
      if (bytes[at] !== CLOSE_BRACE || at + 1 !== end) return false
      learnEnd(bytes, endFrom, end, bits, reading)
      return true
    }
    if (ends.fit(view, end, end - at, end - at, row) !== null) return true
    const comma = at
    at++
    const colon = bytes[at] === QUOTE ? skipString(bytes, at, end) : -1
    if (colon === -1 || bytes[colon] !== COLON) return false
    const key = nameOf(TOP, bytes, at + 1, colon - 1)
    at = colon + 1
    if (bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET) {
      readNested(bytes, at, end, key, reading)
      if (!whole && isEnough(row)) return true
      at = skipNested(bytes, at, end)
      endFrom = at
      bits = 0
    } else {
      at = readScalar(bytes, at, end, key, reading)
      if (key !== null && bits === 0) endFrom = comma
      if (key !== null) bits |= BITS[key]
    }
  }
}

/** Returns the position up to which no other row begins. */
function readNested(
  bytes: Buffer,
  at: number,
  end: number,
  key: keyof Fields | null,
  reading: Reading,
): number {
  if (key !== null) setField(reading.row.fields, key, NESTED)
  if (key !== 'message' && key !== 'attachment') return at
  return skimInner(bytes, at, end, key, reading)
}

function depthAt(bytes: Buffer, nested: number, to: number): number {
  let depth = 0
  for (let at = nested; at < to && at !== -1;) {
    const byte = bytes[at]
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
    at = byte === QUOTE ? skipString(bytes, at, to) : at + 1
  }
  return depth
}
