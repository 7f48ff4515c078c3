import { diffWordsWithSpace } from 'diff'

/** Half-open, in characters of a line. */
export type Span = readonly [from: number, to: number]

/** The words in which two lines differ. */
export interface WordMarks {
  readonly old: readonly Span[]
  readonly now: readonly Span[]
}

/** Longer lines are data, and comparing their words is slow. */
const MAX_LENGTH = 600
/** With less in common than this, a line was replaced rather than changed. */
const ALIKE = 0.4

/** Null for long lines, and for lines so different that every word would be marked. */
export function markWords(old: string, now: string): WordMarks | null {
  if (old.length > MAX_LENGTH || now.length > MAX_LENGTH) return null
  const [before, after]: [Span[], Span[]] = [[], []]
  let [at, to, same] = [0, 0, 0]
  for (const { value, added, removed } of diffWordsWithSpace(old, now)) {
    if (removed) {
      before.push([at, at + value.length])
      at += value.length
    } else if (added) {
      after.push([to, to + value.length])
      to += value.length
    } else {
      if (value.trim() !== '') same += value.length
      at += value.length
      to += value.length
    }
  }
  return same < ALIKE * Math.max(old.trim().length, now.trim().length)
    ? null
    : { old: before, now: after }
}

interface Line {
  readonly change: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Changed words per line of a hunk: each removed line against the added one in its place. */
export function markLines(lines: readonly Line[]): (readonly Span[] | null)[] {
  const marks: (readonly Span[] | null)[] = lines.map(() => null)
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]!.change !== 'removed') continue
    let middle = at
    while (lines[middle]?.change === 'removed') middle++
    let end = middle
    while (lines[end]?.change === 'added') end++
    for (let n = 0; at + n < middle && middle + n < end; n++) {
      const found = markWords(textOf(lines[at + n]!), textOf(lines[middle + n]!))
      marks[at + n] = found?.old ?? null
      marks[middle + n] = found?.now ?? null
    }
    at = end - 1
  }
  return marks
}

function textOf({ text }: Line): string {
  return text.replace(/\r?\n$/, '')
}

/** Splits a line's pieces where marks begin and end. */
export function cutAt<T extends { readonly text: string }>(
  pieces: readonly T[],
  spans: readonly Span[],
): (T & { readonly marked: boolean })[] {
  const cut: (T & { readonly marked: boolean })[] = []
  let at = 0
  for (const piece of pieces) {
    const end = at + piece.text.length
    const edges = spans.flat().filter((edge) => edge > at && edge < end)
    const stops = [...new Set([at, ...edges, end])].sort((a, b) => a - b)
    for (const [n, from] of stops.slice(0, -1).entries()) {
      const to = stops[n + 1]!
      const marked = spans.some(([first, last]) => from >= first && to <= last)
      cut.push({ ...piece, text: piece.text.slice(from - at, to - at), marked })
    }
    at = end
  }
  return cut
}
