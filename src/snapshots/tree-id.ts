import { createHash } from 'node:crypto'
import type { RowEntry } from '#disk'
import { byteText } from './ignore-rules.ts'

export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

const EXECUTABLE = 0o100

/**
 * The id git gives a directory with these entries; '' when git would not have it at all, because
 * it holds no file. Subdirectories carry their ids, so a change costs its ancestors and no more.
 */
export function treeIdOf(entries: ReadonlyMap<string, RowEntry>): string {
  const lines: { sort: string; name: string; mode: string; id: string }[] = []
  let length = 0
  for (const [text, entry] of entries) {
    const mode = gitMode(entry)
    if (mode === null) continue
    const name = byteText(text)
    // Git sorts a directory as if its name ended in a slash.
    lines.push({ sort: entry.kind === 'directory' ? `${name}/` : name, name, mode, id: entry.id })
    length += mode.length + name.length + 22
  }
  if (lines.length === 0) return ''
  lines.sort((a, b) => (a.sort < b.sort ? -1 : 1))
  const body = Buffer.allocUnsafe(length)
  let at = 0
  for (const { name, mode, id } of lines) {
    at += body.write(`${mode} ${name}\0`, at, 'latin1')
    at += body.write(id, at, 'hex')
  }
  return createHash('sha1').update(`tree ${length}\0`).update(body).digest('hex')
}

function gitMode(entry: RowEntry): string | null {
  if (entry.id === '') return null
  if (entry.kind === 'file') return (entry.mode & EXECUTABLE) === 0 ? '100644' : '100755'
  if (entry.kind === 'symlink') return '120000'
  return entry.kind === 'directory' ? '40000' : null
}
