import { absent, type ProjectPath, type Value } from '#timeline'
import { join, note, NOTHING, type Comparison } from './comparison.ts'
import { LEFT_OUT_WORDS, valueOf } from './entry-value.ts'

const ignored: Value = { kind: 'unknown', why: LEFT_OUT_WORDS.ignored }

/** Records that an entry disappeared from a listed directory. */
export function recordGone(c: Comparison, directory: string, name: string): void {
  const entry = c.draft.open(directory)?.entries.get(name)
  if (entry === undefined || entry.kind === 'absent') return
  const path = join(directory, name)
  if (entry.kind === 'directory') {
    const row = c.draft.open(path)
    // Also of an ignored directory: it was in scope once, so undo and redo move it with its files.
    if (row !== undefined) c.found.goneDirectories.set(path as ProjectPath, entry.mode & 0o7777)
    for (const below of row?.entries.keys() ?? []) recordGone(c, path, below)
    dropRow(c, path)
    if (entry.text === 'ignored') note(c, path, ignored, absent, null)
  } else if (entry.kind !== 'rules') note(c, path, valueOf(entry), absent, null)

  // New names in ignored directories are not scanned, so keep a marker: this path stays in scope.
  const isSought = c.draft.open(directory)!.self.isPartial && entry.kind !== 'directory'
  if (isSought) c.draft.set(directory, name, { ...NOTHING, kind: 'absent', mode: 0 })
  else c.draft.delete(directory, name)
}

/** Files in a directory that became unreadable are unknown, not absent (sem.A6). */
export function forgetBelow(
  c: Comparison,
  directory: string,
  why: 'other-file-system' | 'unreadable',
): void {
  for (const [name, entry] of c.draft.open(directory)?.entries ?? []) {
    const path = join(directory, name)
    if (entry.kind === 'directory') forgetBelow(c, path, why)
    else if (entry.kind === 'file' || entry.kind === 'symlink') {
      note(c, path, valueOf(entry), { kind: 'unknown', why: HIDDEN_BY[why] }, null)
    }
    c.draft.delete(directory, name)
  }
  dropRow(c, directory)
}

const HIDDEN_BY = {
  'other-file-system': 'another file system is mounted over its directory',
  unreadable: 'its directory could not be read',
} as const

function dropRow(c: Comparison, path: string): void {
  c.draft.drop(path)
  c.listener.leave(path)
}
