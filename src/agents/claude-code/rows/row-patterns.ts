import { isId, PER_TEXT, WORD, type RowTexts, type TextPlaces, type View } from './row-texts.ts'
import type { Skimmed } from './skimmed.ts'

/**
 * Rows of one kind have the same bytes at the start, and nearly all rows of a file at the end,
 * except for ids and times of equal length. Bytes that match an earlier walk are not walked again,
 * because the result is the same: equal bytes lead to the same walk, and gaps allow no byte that
 * could change it.
 */
export interface Pattern<Found> {
  readonly length: number
  /** What the walk found there, except for the strings. */
  readonly found: Found
  /** The offset of the first word from the start or end of the row. */
  readonly from: number
  readonly masks: Int32Array
  readonly words: Int32Array
  readonly gaps: TextPlaces
}

export interface Patterns<Found> {
  /**
   * The pattern that matches at `origin` and is between `least` and `most` bytes long, or null. On
   * a match, fills `row` with the findings and strings.
   */
  fit(view: View, origin: number, least: number, most: number, row: Skimmed): Pattern<Found> | null
  learn(view: View, span: Span, places: TextPlaces, found: Found): void
}

interface Span {
  readonly from: number
  readonly to: number
}

const MAX_PATTERN_LENGTH = 1024
/** The rows of one session have about ten kinds. */
const MAX_PATTERNS = 12
/** Stop learning after this many misses, so that dissimilar rows do not cost time. */
const MAX_MISSES = 64

/** Patterns for the starts of rows, or for their ends. */
export function createPatterns<Found>(
  texts: RowTexts,
  where: 'begin' | 'end',
  apply: (found: Found, row: Skimmed) => void,
): Patterns<Found> {
  const patterns: Pattern<Found>[] = []
  let last = 0
  let learned = 0
  let fitted = 0
  return {
    fit(view, origin, least, most, row) {
      for (let tried = 0; tried < patterns.length; tried++) {
        // Kinds of rows mostly repeat in the same order.
        last = last + 1 < patterns.length ? last + 1 : 0
        const pattern = patterns[last]!
        if (pattern.length < least || pattern.length > most) continue
        if (!fits(pattern, view.words, origin)) continue
        apply(pattern.found, row)
        texts.take(view, pattern.gaps, origin, row)
        fitted++
        return pattern
      }
      return null
    },
    learn(view, { from, to }, places, found) {
      if (to - from > MAX_PATTERN_LENGTH || to - from < WORD || learned > MAX_MISSES + fitted / 4)
        return
      last = patterns.length < MAX_PATTERNS ? patterns.length : learned % MAX_PATTERNS
      patterns[last] = patternOf(view, { from, to }, places, { found, where })
      learned++
    },
  }
}

function fits(
  { from, masks, words, gaps }: Pattern<unknown>,
  view: DataView,
  origin: number,
): boolean {
  const at = origin + from
  // Backwards: rows begin alike, and differ later.
  for (let i = masks.length - 1; i >= 0; i--)
    if ((view.getInt32(at + i * WORD, true) & masks[i]!) !== words[i]) return false
  for (let i = 0; i < gaps.length; i += PER_TEXT)
    if (!isId(view, origin + gaps[i]!, gaps[i + 1]!)) return false
  return true
}

function patternOf<Found>(
  view: View,
  { from, to }: Span,
  places: TextPlaces,
  { found, where }: { found: Found; where: 'begin' | 'end' },
): Pattern<Found> {
  const length = to - from
  const count = Math.ceil(length / WORD)
  // No word may extend past the end of a row: the buffer can end there.
  const before = where === 'end' ? count * WORD - length : 0
  const origin = where === 'end' ? to : from
  const bytes = Buffer.alloc(count * WORD)
  const mask = Buffer.alloc(count * WORD)
  view.bytes.copy(bytes, before, from, to)
  mask.fill(0xff, before, before + length)
  const gaps: number[] = []
  for (let i = 0; i < places.length; i += PER_TEXT) {
    const [at, size, kind] = [places[i]!, places[i + 1]!, places[i + 2]!]
    if (at < from || at + size > to || !isId(view.words, at, size)) continue
    mask.fill(0, before + at - from, before + at - from + size)
    gaps.push(at - origin, size, kind)
  }
  const masks = new Int32Array(count)
  const words = new Int32Array(count)
  for (let i = 0; i < count; i++) {
    masks[i] = mask.readInt32LE(i * WORD)
    words[i] = bytes.readInt32LE(i * WORD) & masks[i]!
  }
  return { length, found, from: from - before - origin, masks, words, gaps: Int32Array.from(gaps) }
}
