import { looksLikeRow } from './damage-marks.ts'
import {
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipScalar,
  skipString,
} from './json-bytes.ts'
import { addPlace, SHORT, type Reading } from './reading.ts'
import { ANY, CALL, MESSAGE } from './row-texts.ts'
import { decode, nameOf, namesByLength } from './skim-value.ts'
import type { Skimmed } from './skimmed.ts'

const INNER = namesByLength(['id', 'type', 'content', 'tool_use_id'])

/**
 * Reads the scalars at the front of a nested object, and those of the first block of its `content`.
 * Returns the position up to which the bytes were walked and no other row begins.
 */
export function skimInner(
  bytes: Buffer,
  open: number,
  end: number,
  of: 'message' | 'attachment' | 'block',
  reading: Reading,
): number {
  const { row, places } = reading
  const sound = bytes[open + 1] === QUOTE && looksLikeRow(bytes, open, end) ? open : -1
  let at = open + 1
  while (at < end && bytes[at] === QUOTE) {
    const colon = skipString(bytes, at, end)
    if (colon === -1 || bytes[colon] !== COLON) break
    const key = nameOf(INNER, bytes, at + 1, colon - 1)
    at = colon + 1
    if (of === 'block' && isBlockKnown(row)) {
      reading.headEnd = at
      break
    }
    if (bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET) {
      if (key !== 'content' || of !== 'message' || bytes[at + 1] !== OPEN_BRACE) break
      const after = skimInner(bytes, at + 1, end, 'block', reading)
      if (bytes[at] === OPEN_BRACKET) at = after
      break
    }
    // Tool output is a scalar too: long ones are not needed here.
    const after = skipScalar(bytes, at, Math.min(end, at + SHORT))
    if (after === -1) break
    if (key === null) addPlace(bytes, at, after, ANY, places)
    else if (bytes[at] === QUOTE) note(bytes, at, after, of, key, reading)
    if (bytes[after] !== COMMA) break
    at = after + 1
  }
  return sound === -1 ? at : sound
}

/** Only calls and results have an id; for other blocks the type is enough. */
function isBlockKnown({ firstBlock, call }: Skimmed): boolean {
  return firstBlock !== null && (call !== null || !firstBlock.startsWith('tool_'))
}

/** Stores the string from `at` to `after` if it is needed. */
function note(
  bytes: Buffer,
  at: number,
  after: number,
  of: 'message' | 'attachment' | 'block',
  key: 'id' | 'type' | 'content' | 'tool_use_id',
  { row, texts, view, places }: Reading,
): void {
  const isType = key === 'type'
  const isWanted = of === 'message' ? key === 'id' : of === 'block' ? key !== 'content' : isType
  if (!isWanted) return
  const kind = of === 'message' ? MESSAGE : CALL
  const value = isType ? decode(bytes, at, after) : texts.read(view, kind, at, after)
  if (typeof value !== 'string') return
  if (of === 'attachment') row.attachmentType = value
  else if (isType) row.firstBlock = value
  else {
    if (of === 'message') row.messageId = value
    else row.call = value
    addPlace(bytes, at, after, kind, places)
  }
}
