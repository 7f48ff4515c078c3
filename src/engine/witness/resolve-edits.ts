import type { Recorded, RecordedEdit } from '#timeline'
import { decodeText } from './decode-text.ts'
import { invertPieces, replacePieces } from './replace-pieces.ts'

/** A change of the path between two scans. A text is null if it is not known. */
export interface SeenText {
  readonly since: number
  readonly at: number
  readonly before: string | null
  readonly after: string | null
}

/**
 * Fills in what the agent did not record. Subagents of headless runs record only the replaced
 * pieces. The whole text then follows from what scans saw, the edit before, the edit after, or the
 * present file, but only if the pieces fit there in exactly one way. Scans come first (sem.A10): a
 * command may have changed the file since.
 *
 * `edits` are those of one path, in the order they were made; `around` has the path's text before
 * the first edit and its present text.
 */
export function resolveEdits(
  edits: readonly RecordedEdit[],
  around: { readonly before: string | null; readonly after: string | null },
  seen: readonly SeenText[] = [],
): RecordedEdit[] {
  const forward: RecordedEdit[] = []
  let known = around.before
  let last = Number.NEGATIVE_INFINITY
  for (const edit of edits) {
    const resolved = resolveForward(edit, seenBefore(edit, seen, last) ?? known)
    forward.push(resolved)
    known = textOf(resolved.after)
    last = Date.parse(edit.at ?? '')
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

/** How long after a scan that saw an edit the agent may record it. */
const SLACK = 2000

/** The text before the edit, if a scan saw it after the previous edit. */
function seenBefore(
  { at, pieces, after }: RecordedEdit,
  seen: readonly SeenText[],
  last: number,
): string | null {
  const time = Date.parse(at ?? '')
  const leave = (before: string): string | null =>
    pieces.length === 0 ? textOf(after) : replacePieces(before, pieces)
  const near = seen.filter(
    ({ since, at: until, before }) =>
      since <= time && until >= time - SLACK && before !== null && leave(before) !== null,
  )
  const leads = ({ before, after: left }: SeenText): boolean =>
    left !== null && leave(before!) === left
  const scan = near.find(leads) ?? near.find((each) => each.at >= time)
  return scan === undefined || scan.since < last ? null : scan.before
}

function resolveForward(edit: RecordedEdit, known: string | null): RecordedEdit {
  if (known === null || edit.before.kind !== 'unknown') return edit
  // The whole file was overwritten: it had the text that the previous edit left.
  if (edit.pieces.length === 0) return { ...edit, before: text(known) }
  const after = replacePieces(known, edit.pieces)
  return after === null ? edit : { ...edit, before: text(known), after: text(after) }
}

function resolveBackward(edit: RecordedEdit, known: string | null): RecordedEdit {
  if (known === null || edit.before.kind !== 'unknown' || edit.pieces.length === 0) return edit
  if (edit.pieces.some((piece) => piece.all)) return edit
  const before = replacePieces(known, invertPieces(edit.pieces))
  return before === null ? edit : { ...edit, before: text(before), after: text(known) }
}

function text(whole: string): Recorded {
  return { kind: 'text', text: whole }
}

/** Compared without the carriage returns of line ends, which pieces do not have. */
function textOf(recorded: Recorded): string | null {
  if (recorded.kind === 'text') return recorded.text
  return recorded.kind === 'bytes' ? decodeText(recorded.bytes) : null
}
