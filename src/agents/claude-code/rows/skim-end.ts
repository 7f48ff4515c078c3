import { BACKSLASH, COLON, COMMA, isLiteral, openingQuote, QUOTE } from './json-bytes.ts'
import { addPlace, kindOf, SHORT, TOP, type Reading } from './reading.ts'
import { ANY } from './row-texts.ts'
import { decode, nameOf } from './skim-value.ts'
import { BITS, setField } from './skimmed.ts'

/**
 * Reads the scalars after the last nested value, backwards. The nearest unescaped quote before a
 * closing quote opens the string.
 */
export function readEnd(bytes: Buffer, floor: number, end: number, reading: Reading): void {
  const { row, ends, texts, view, places } = reading
  const known = ends.fit(view, end, 0, end - 1 - floor, row)
  let bits = known === null ? 0 : known.found.bits
  let at = end - 1 - (known === null ? 1 : known.length) // the last byte of the last value
  let endFrom = -1
  places.length = 0
  while (at > floor) {
    let from: number
    if (bytes[at] === QUOTE) from = openingQuote(bytes, at, floor)
    else {
      if (!isLiteral(bytes[at]!)) break // a nested value ends here
      from = at
      while (from > floor && isLiteral(bytes[from - 1]!)) from--
    }
    if (from <= floor || bytes[from - 1] !== COLON || bytes[from - 2] !== QUOTE) return
    const keyFrom = openingQuote(bytes, from - 2, floor)
    if (keyFrom <= floor || bytes[keyFrom - 1] !== COMMA) return
    const key = nameOf(TOP, bytes, keyFrom + 1, from - 2)
    const kind = kindOf(key)
    // Of duplicate keys the last one counts, as in JSON.parse.
    const isLast = key === null || (bits & BITS[key]) === 0
    if (key !== null && isLast) {
      const value =
        kind === null ? decode(bytes, from, at + 1) : texts.read(view, kind, from, at + 1)
      setField(row.fields, key, value)
      bits |= BITS[key]
      endFrom = keyFrom - 1
    }
    if (kind !== null) addPlace(bytes, from, at + 1, isLast ? kind : ANY, places)
    at = keyFrom - 2
  }
  if (known === null) learnEnd(bytes, endFrom === -1 ? at + 1 : endFrom, end, bits, reading)
}

/** Learns the bytes from the comma at `from` on as a common row end. */
export function learnEnd(
  bytes: Buffer,
  from: number,
  end: number,
  bits: number,
  { row, ends, view, places }: Reading,
): void {
  if (bytes[from] !== COMMA || end - from > SHORT) return
  // Reading backwards, an escape is seen only after the quote that it escapes.
  if (bytes.subarray(from, end).includes(BACKSLASH)) return
  ends.learn(view, { from, to: end }, places, { fields: { ...row.fields }, bits })
}
