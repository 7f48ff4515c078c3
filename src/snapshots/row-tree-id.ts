import { hash } from 'node:crypto'
import { AT, HEADER, KINDS, RECORD, SELF } from '#disk'

const DIRECTORY = KINDS.indexOf('directory')
const EXECUTABLE = 0o100
const MODES = {
  directory: Buffer.from('40000 '),
  plain: Buffer.from('100644 '),
  executable: Buffer.from('100755 '),
}
const ID = 20
const MAX_HEADER = 32

let scratch = Buffer.alloc(64 * 1024)

/**
 * Computes what `treeIdOf` computes, but from an encoded row without decoding names or ids. The row
 * must hold only files and directories, sorted as git sorts. Null if git would store no tree.
 */
export function rowTreeId(row: Buffer): Buffer | null {
  const view = new DataView(row.buffer, row.byteOffset, row.length)
  const count = view.getUint32(SELF.count, true)
  const textAt = HEADER + RECORD * count
  // An upper bound: 8 covers the mode and the NUL of an entry.
  const capacity = MAX_HEADER + row.length - textAt + count * (ID + 8)
  if (capacity > scratch.length) scratch = Buffer.alloc(capacity * 2)
  const tree = scratch
  let end = MAX_HEADER
  let nameAt = textAt
  for (let at = HEADER; at < textAt; at += RECORD) {
    const nameEnd = view.getUint32(at + AT.nameEnd, true)
    const mode =
      row[at + AT.kind] === DIRECTORY
        ? MODES.directory
        : (view.getUint16(at + AT.mode, true) & EXECUTABLE) === 0
          ? MODES.plain
          : MODES.executable
    if (hasId(row, at + AT.id)) {
      for (let n = 0; n < mode.length; n += 1) tree[end++] = mode[n]!
      for (let n = nameAt; n < nameEnd; n += 1) tree[end++] = row[n]!
      tree[end++] = 0
      for (let n = 0; n < ID; n += 1) tree[end++] = row[at + AT.id + n]!
    }
    nameAt = nameEnd
  }
  if (end === MAX_HEADER) return null
  const begin = `tree ${end - MAX_HEADER}\0`
  const start = MAX_HEADER - begin.length
  tree.write(begin, start, 'latin1')
  return hash('sha1', tree.subarray(start, end), 'buffer')
}

function hasId(row: Buffer, at: number): boolean {
  for (let n = 0; n < ID; n += 1) if (row[at + n] !== 0) return true
  return false
}
