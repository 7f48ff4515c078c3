import { createHash } from 'node:crypto'
import { nameBytes, type RowEntry } from '#disk'

export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

const EXECUTABLE = 0o100

/**
 * The id git gives a directory with these entries; '' when git would not have it at all, because
 * it holds no file. Subdirectories carry their ids, so a change costs its ancestors and no more.
 */
export function treeIdOf(entries: ReadonlyMap<string, RowEntry>): string {
  const lines: { sort: Buffer; line: Buffer }[] = []
  for (const [name, entry] of entries) {
    const mode = gitMode(entry)
    if (mode === null) continue
    const bytes = nameBytes(name)
    lines.push({
      // Git sorts a directory as if its name ended in a slash.
      sort: entry.kind === 'directory' ? Buffer.concat([bytes, SLASH]) : bytes,
      line: Buffer.concat([mode, bytes, NUL, Buffer.from(entry.id, 'hex')]),
    })
  }
  if (lines.length === 0) return ''
  lines.sort((a, b) => Buffer.compare(a.sort, b.sort))
  const body = Buffer.concat(lines.map(({ line }) => line))
  return createHash('sha1').update(`tree ${body.length}\0`).update(body).digest('hex')
}

const SLASH = Buffer.from('/')
const NUL = Buffer.from([0])
const MODES = {
  plain: Buffer.from('100644 '),
  executable: Buffer.from('100755 '),
  symlink: Buffer.from('120000 '),
  directory: Buffer.from('40000 '),
}

function gitMode(entry: RowEntry): Buffer | null {
  if (entry.id === '') return null
  if (entry.kind === 'file') return (entry.mode & EXECUTABLE) === 0 ? MODES.plain : MODES.executable
  if (entry.kind === 'symlink') return MODES.symlink
  return entry.kind === 'directory' ? MODES.directory : null
}
