import type { Piece } from '#timeline'

/**
 * The text with every piece replaced. A piece with line numbers must be at its lines, as a patch
 * program would try first; without them, or if not all of them are there, each must occur exactly
 * once: with two occurrences, either could be the right one. Null if the pieces do not fit.
 */
export function replacePieces(whole: string, pieces: readonly Piece[]): string | null {
  return replaceAtLines(whole, pieces) ?? replaceOnce(whole, pieces)
}

/** The same pieces, to go back from the new text to the old one. */
export function invertPieces(pieces: readonly Piece[]): Piece[] {
  return pieces
    .map(({ old, new: fresh, all, lines }) => ({
      old: fresh,
      new: old,
      all,
      ...(lines === undefined ? {} : { lines: { before: lines.after, after: lines.before } }),
    }))
    .toReversed()
}

function replaceAtLines(whole: string, pieces: readonly Piece[]): string | null {
  if (pieces.length === 0) return null
  const starts = lineStarts(whole)
  let made = ''
  let from = 0
  for (const { old, new: fresh, lines } of [...pieces].sort(byLine)) {
    if (lines === undefined) return null
    // A piece without old lines comes after the line that it names.
    const at = starts[old === '' ? lines.before : lines.before - 1] ?? -1
    if (at < from || !whole.startsWith(old, at)) return null
    const end = at + old.length
    // A last line without its end is not the line that was recorded with one.
    if (old !== '' && !old.endsWith('\n') && end !== whole.length) return null
    made += whole.slice(from, at) + fresh
    from = end
  }
  return made + whole.slice(from)
}

function byLine(a: Piece, b: Piece): number {
  return (a.lines?.before ?? 0) - (b.lines?.before ?? 0)
}

/** Where each line begins, with the place after the last one. */
function lineStarts(whole: string): number[] {
  const starts = [0]
  for (let at = whole.indexOf('\n'); at >= 0; at = whole.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function replaceOnce(whole: string, pieces: readonly Piece[]): string | null {
  let at = whole
  for (const { old, new: fresh, all } of pieces) {
    const first = old === '' ? -1 : at.indexOf(old)
    if (first === -1) return null
    if (all) at = at.replaceAll(old, () => fresh)
    else if (at.indexOf(old, first + 1) !== -1) return null
    else at = at.slice(0, first) + fresh + at.slice(first + old.length)
  }
  return at
}
