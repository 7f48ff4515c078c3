import { eastAsianWidth } from 'get-east-asian-width'

/** Colour codes take no columns. */
const SEQUENCE = /\u001B\[[\d;]*m/g
/** Characters of nearly all text, including the drawing characters: one column each. */
const PLAIN =
  /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2190-\u2199\u21BA\u21B5\u21C4\u2212\u2298\u2442\u2500-\u257F\u25B8\u25BE\u25C9\u25CB\u25CC\u25CF\u2691\u276F]*$/

let emoji: RegExp | null = null
let graphemes: Intl.Segmenter | null = null

/**
 * The columns that text takes in a terminal. Loading the grapheme and emoji tables takes a third of
 * a command's start time, so only text that needs them does.
 */
export function textWidth(text: string): number {
  const bare = text.includes('\u001B') ? text.replace(SEQUENCE, '') : text
  if (PLAIN.test(bare)) return bare.length
  return graphemesOf(bare).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0)
}

export function graphemesOf(text: string): string[] {
  if (PLAIN.test(text)) return text.split('')
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

function graphemeWidth(grapheme: string): number {
  if (PLAIN.test(grapheme)) return grapheme.length
  // Marks and joiners are drawn over the character before them.
  if (/^[\p{Default_Ignorable_Code_Point}\p{Control}\p{Mark}\p{Surrogate}]+$/u.test(grapheme))
    return 0
  emoji ??= /^\p{RGI_Emoji}$/v
  if (emoji.test(grapheme)) return 2
  return eastAsianWidth(grapheme.codePointAt(0)!)
}
