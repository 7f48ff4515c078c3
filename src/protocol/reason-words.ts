import type { FileReason } from '#timeline'

/** Why a file of a plan is not simply written, worded the same on every surface. */
const WORDS: Record<FileReason, string> = {
  'already-so': 'already as planned',
  'kept-mine': 'left as it is',
  'needs-consent': 'runs automatically (settings, hooks)',
  'removes-outside-edits': 'removes changes that no turn made',
  'file-is-parent': 'a file is in the way of a directory',
  'case-twin': 'another file has the same name in different case',
  'gone-here': 'you deleted it',
  'changed-here': 'you changed it, and it would be deleted',
  'made-twice': 'something else is there now',
  'kinds-differ': 'a file on one side, a link on the other',
  symlink: 'the link has another target now',
  binary: 'both changed it, and it is not text',
  overlap: 'both changed the same lines',
  'too-close': 'both changed lines too close to tell apart',
  'unknown-value': 'its old contents are not known',
  'old-path-occupied': 'something else is at its old path',
  'new-path-occupied': 'something else is at its new path',
}

/** A newer server may send a reason that this page does not know: then its code is shown. */
export function wordsForReason(reason: string, author = 'you'): string {
  return WORDS[reason as FileReason]?.replace(/^you\b/u, author) ?? reason
}

/** An empty range ends before it starts: lines were removed there. */
export function wordsForSpan([from, to]: readonly [number, number]): string {
  if (to < from) return from === 1 ? 'the start of the file' : `the place after line ${to}`
  return from === to ? `line ${from}` : `lines ${from} to ${to}`
}

/** What both sides changed, by the lines of the user's file, or else by those of the other version. */
export function wordsForConflict(
  ours: readonly [number, number],
  theirs: readonly [number, number],
): string {
  return wordsForSpan(ours[1] < ours[0] ? theirs : ours)
}
