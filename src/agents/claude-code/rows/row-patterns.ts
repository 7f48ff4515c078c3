import { isId, PER_TEXT, WORD, type RowTexts, type TextPlaces, type View } from './row-texts.ts'
import type { Skimmed } from './skimmed.ts'

/**
 * Rows of one kind are the same bytes at their beginning, and nearly all rows of a file at their
 * end, but for ids and times of the same lengths. Bytes that fit what was walked before are not
 * walked again, and say what walking them would say: the same bytes lead the walk the same way,
 * and in a gap no byte is allowed that could lead it elsewhere.
 */
export interface Pattern<Found> {
  readonly length: number
  /** What the walk found there, but for the texts. */
  readonly found: Found
  /** Of the first word, counted from the row's beginning or its end, where the pattern belongs. */
  readonly from: number
  readonly masks: Int32Array
  readonly words: Int32Array
  readonly gaps: TextPlaces
}

export interface Patterns<Found> {
  /**
   * The one that fits at `origin` and is between `least` and `most` bytes long, null when none
   * does. What was found and the texts are in `row` then.
   */
  fit(view: View, origin: number, least: number, most: number, row: Skimmed): Pattern<Found> | null
  learn(view: View, span: Span, places: TextPlaces, found: Found): void
}

interface Span {
  readonly from: number
  readonly to: number
}

const LONGEST = 1024
/** Of one session the rows have some ten kinds. */
const MOST = 12
/** A file whose rows do not resemble each other is not to pay for learning them. */
const TRIALS = 64

/** Those that stand at the beginnings of rows, or at their ends. */
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
        // Kinds of rows mostly follow each other as they did before.
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
      if (to - from > LONGEST || to - from < WORD || learned > TRIALS + fitted / 4) return
      last = patterns.length < MOST ? patterns.length : learned % MOST
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
  // Rows begin alike; of what kind they are shows later.
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
  // No word may reach over the end of a row: the buffer can end there.
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
