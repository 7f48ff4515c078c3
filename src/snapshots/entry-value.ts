import type { RowEntry } from '#disk'
import { absent, sameValue, type ContentId, type Value } from '#timeline'

/** Why something that exists is not in the snapshot. */
export type LeftOutWhy =
  | 'too-big'
  | 'over-limit'
  | 'special'
  | 'hard-linked'
  | 'unreadable'
  | 'other-file-system'
  | 'ignored'
  | 'repository'

/** Why, in a user's words. */
export const LEFT_OUT_WORDS: Readonly<Record<LeftOutWhy, string>> = {
  'too-big': 'it is larger than the limit for one file',
  'over-limit': 'it did not fit into the limit for one snapshot',
  special: 'it is neither a file nor a link nor a directory',
  'hard-linked': 'it has several names (hard links)',
  unreadable: 'it could not be read',
  'other-file-system': 'it lies on another file system',
  ignored: 'it is an ignored directory',
  repository: 'it is a git repository',
}

/** Of these only that something changed is known; they are named, and no operation is about them. */
export function isNeverMoved(value: Value): boolean {
  return (
    value.kind === 'unknown' &&
    (value.why === LEFT_OUT_WORDS.ignored || value.why === LEFT_OUT_WORDS.repository)
  )
}

/** What the last look at an entry says about its path. */
export function valueOf(entry: RowEntry): Value {
  switch (entry.kind) {
    case 'file':
      return { kind: 'file', content: entry.id as ContentId, mode: entry.mode & 0o7777 }
    case 'symlink':
      return { kind: 'symlink', target: entry.text }
    case 'left-out':
      return { kind: 'unknown', why: LEFT_OUT_WORDS[entry.text as LeftOutWhy] }
    case 'rules':
      return { kind: 'unknown', why: 'it was ignored' }
    case 'directory':
    case 'absent':
      return absent
    default:
      return entry.kind satisfies never
  }
}

/** Two looks that both saw nothing are no change, though nobody knows what happened. */
export function isSameLook(a: Value, b: Value): boolean {
  return a.kind === 'unknown' ? b.kind === 'unknown' : sameValue(a, b)
}
