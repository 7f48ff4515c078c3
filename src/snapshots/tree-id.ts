import { hash } from 'node:crypto'
import type { RowEntry } from '#disk'
import { byteText } from './ignore-rules.ts'

export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

const EXECUTABLE = 0o100

/**
 * The id that git gives a directory with these entries; '' if it holds no file and git would not
 * store it. Subdirectories carry their ids, so a change costs only its ancestors.
 */
export function treeIdOf(entries: ReadonlyMap<string, RowEntry>): string {
  const lines: { sort: string; head: string; id: string }[] = []
  let length = 0
  for (const [text, entry] of entries) {
    const mode = gitMode(entry)
    if (mode === null) continue
    const name = byteText(text)
    // Git sorts a directory as if its name ended in a slash.
    const sort = entry.kind === 'directory' ? `${name}/` : name
    const head = `${mode} ${name}\0`
    lines.push({ sort, head, id: entry.id })
    length += head.length + 20
  }
  if (lines.length === 0) return ''
  lines.sort((a, b) => (a.sort < b.sort ? -1 : 1))
  const begin = `tree ${length}\0`
  const tree = Buffer.allocUnsafe(begin.length + length)
  let at = tree.write(begin, 0, 'latin1')
  for (const { head, id } of lines) {
    at += tree.write(head, at, 'latin1')
    at += tree.write(id, at, 'hex')
  }
  return hash('sha1', tree)
}

function gitMode(entry: RowEntry): string | null {
  if (entry.id === '') return null
  if (entry.kind === 'file') return (entry.mode & EXECUTABLE) === 0 ? '100644' : '100755'
  if (entry.kind === 'symlink') return '120000'
  return entry.kind === 'directory' ? '40000' : null
}
