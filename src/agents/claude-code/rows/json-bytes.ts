/** JSON as bytes: finds the ends of strings, literals and nested values. */

export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const BACKSLASH = 0x5c
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d

/** Up to this length, a byte loop is faster; beyond it (base64 images), the native search is. */
const MAX_BYTE_LOOP = 256

/** The position after the closing quote of the string that opens at `at`; -1 if it is unclosed. */
export function skipString(bytes: Buffer, at: number, end: number): number {
  let i = at + 1
  for (;;) {
    const near = Math.min(end, i + MAX_BYTE_LOOP)
    while (i < near) {
      const byte = bytes[i]!
      if (byte === QUOTE) return i + 1
      i += byte === BACKSLASH ? 2 : 1
    }
    if (i >= end) return -1
    const quote = bytes.indexOf(QUOTE, i)
    if (quote === -1 || quote >= end) return -1
    if (!isEscaped(bytes, quote, i - 1)) return quote + 1
    i = quote + 1
  }
}

export function openingQuote(bytes: Buffer, closing: number, floor: number): number {
  for (let at = closing - 1; at > floor; at--)
    if (bytes[at] === QUOTE && (bytes[at - 1] !== BACKSLASH || !isEscaped(bytes, at, floor)))
      return at
  return -1
}

/** Whether an odd number of backslashes is between `floor` and the byte at `at`. */
function isEscaped(bytes: Buffer, at: number, floor: number): boolean {
  let slashes = 0
  while (at - 1 - slashes > floor && bytes[at - 1 - slashes] === BACKSLASH) slashes++
  return slashes % 2 === 1
}

/**
 * The position after the nested value that opens at `at`, or that `at` is inside of by the given
 * depth. Counts depth instead of recursing: a value five million levels deep would overflow the
 * stack. Requires a separator after each string, which is what a spliced line breaks first.
 */
export function skipNested(bytes: Buffer, at: number, end: number, inside = 0): number {
  let depth = inside
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

export function isLiteral(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) || // a to z
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x45
  )
}

export function skipScalar(bytes: Buffer, at: number, end: number): number {
  if (bytes[at] === QUOTE) return skipString(bytes, at, end)
  let after = at
  while (after < end && isLiteral(bytes[after]!)) after++
  return after === at ? -1 : after
}

/** ASCII without escapes or control characters, as ids, names and times are. */
export function isPlain(bytes: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if (byte === BACKSLASH || byte >= 0x80 || byte < 0x20) return false
  }
  return true
}
