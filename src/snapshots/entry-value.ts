import type { RowEntry } from '#disk'
import { absent, sameValue, type ContentId, type Value } from '#timeline'

/** Why an existing path is not in the snapshot. */
export type LeftOutWhy =
  | 'too-big'
  | 'over-limit'
  | 'special'
  | 'hard-linked'
  | 'unreadable'
  | 'other-file-system'
  | 'ignored'
  | 'repository'

/** The reasons as users read them. */
export const LEFT_OUT_WORDS: Readonly<Record<LeftOutWhy, string>> = {
  'too-big': 'it is larger than the size limit',
  'over-limit': 'it did not fit into the size limit of one snapshot',
  special: 'it is neither a file nor a link nor a directory',
  'hard-linked': 'it has several names (hard links)',
  unreadable: 'it could not be read',
  'other-file-system': 'it is on another file system',
  ignored: 'it is an ignored directory',
  repository: 'it is a git repository',
}

/** Paths that operations never touch. Retake records that they changed, not how. */
export type LeftAloneKind = 'ignored' | 'nested-repository' | 'directory-mode'

const MODE = 'it is a directory with the mode '

/** Directories have no content; this encodes the mode as a value. */
export function directoryMode(mode: number): Value {
  return { kind: 'unknown', why: `${MODE}${(mode & 0o7777).toString(8)}` }
}

export function leftAloneKind(value: Value): LeftAloneKind | null {
  if (value.kind !== 'unknown') return null
  if (value.why === LEFT_OUT_WORDS.ignored) return 'ignored'
  if (value.why === LEFT_OUT_WORDS.repository) return 'nested-repository'
  return value.why.startsWith(MODE) ? 'directory-mode' : null
}

/** The mode that `directoryMode` encoded. */
export function modeText(value: Value): string {
  return value.kind === 'unknown' ? value.why.slice(MODE.length) : ''
}

/** The value of a path, as the last scan recorded it. */
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

/** Two unknown values count as equal, although the content may differ. */
export function isSameLook(a: Value, b: Value): boolean {
  return a.kind === 'unknown' ? b.kind === 'unknown' : sameValue(a, b)
}
