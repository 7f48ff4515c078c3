import type { Piece, Recorded, RecordedEdit } from '#timeline'

/**
 * Fills in what the agent did not record from what it recorded before and after. Subagents of
 * headless runs leave only the replaced pieces; the whole text follows from the edit before, the
 * edit after, or the file as it stands, but only where the piece fits there once and no other way.
 *
 * `edits` are those of one path, in the order they were made; `around` is what stood there before
 * the first and what stands there now.
 */
export function resolveEdits(
  edits: readonly RecordedEdit[],
  around: { readonly before: string | null; readonly after: string | null },
): RecordedEdit[] {
  const forward: RecordedEdit[] = []
  let known = around.before
  for (const edit of edits) {
    const resolved = resolveForward(edit, known)
    forward.push(resolved)
    known = textOf(resolved.after)
  }
  const both: RecordedEdit[] = []
  known = around.after
  for (const edit of forward.toReversed()) {
    const resolved = resolveBackward(edit, known)
    both.unshift(resolved)
    known = textOf(resolved.before)
  }
  return both
}

function resolveForward(edit: RecordedEdit, known: string | null): RecordedEdit {
  if (known === null || edit.before.kind !== 'unknown') return edit
  // A file that was written over: what stood there is what the edit before left.
  if (edit.pieces.length === 0) return { ...edit, before: text(known) }
  const after = replaceOnce(known, edit.pieces)
  return after === null ? edit : { ...edit, before: text(known), after: text(after) }
}

function resolveBackward(edit: RecordedEdit, known: string | null): RecordedEdit {
  if (known === null || edit.before.kind !== 'unknown' || edit.pieces.length === 0) return edit
  if (edit.pieces.some((piece) => piece.all)) return edit
  const swapped = edit.pieces.map(({ old, new: fresh, all }) => ({ old: fresh, new: old, all }))
  const before = replaceOnce(known, swapped.toReversed())
  return before === null ? edit : { ...edit, before: text(before), after: text(known) }
}

/** Null unless every piece is found in one place only: a second place could be the right one. */
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

function text(whole: string): Recorded {
  return { kind: 'text', text: whole }
}

function textOf(recorded: Recorded): string | null {
  return recorded.kind === 'text' ? recorded.text : null
}
