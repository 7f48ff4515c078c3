import { lstatForScan } from './scan-list.ts'
import { AT, countOf, FLAG, HEADER, KINDS, RECORD, SELF, textsOf } from './scan-row.ts'

/** The differences in one directory: some names, or `list-again` for all of it. */
export interface Finding {
  readonly path: string
  readonly names: readonly string[] | 'list-again'
}

const DIRECTORY = KINDS.indexOf('directory')
const ABSENT = KINDS.indexOf('absent')

/**
 * Compares a directory with its row, one lstat per entry. If the directory's own times are
 * unchanged, no name was added or removed, so it is not listed again. If `trustTimes` is false (the
 * file system may not keep times), it always is.
 */
export function verifyRow({
  root,
  path,
  row,
  trustTimes,
}: {
  root: string
  path: string
  row: Buffer
  trustTimes: boolean
}): Finding | null {
  const directory = path === '' ? root : `${root}/${path}`
  const self = tryLstat(directory)
  // A DataView is five times as fast as Buffer methods, and a scan reads the times of every file.
  const view = new DataView(row.buffer, row.byteOffset, row.length)
  if (
    self === null ||
    !trustTimes ||
    self.ctimeNs !== view.getBigInt64(SELF.changed, true) ||
    self.mtimeNs !== view.getBigInt64(SELF.modified, true) ||
    self.ino !== view.getBigInt64(SELF.inode, true) ||
    (view.getUint32(SELF.flags, true) & FLAG.doubtful) !== 0
  )
    return { path, names: 'list-again' }

  const count = countOf(row)
  const prefix = `${directory}/`
  const textAt = textsOf(row, count)
  let names: string[] | null = null
  let start = HEADER + RECORD * count
  for (let at = HEADER; at < HEADER + RECORD * count; at += RECORD) {
    const nameEnd = view.getUint32(at + AT.nameEnd, true)
    const kind = row[at + AT.kind]
    if (kind !== DIRECTORY) {
      const name = textAt(start, nameEnd)
      const stat = tryLstat(prefix + name)
      const isSame =
        stat === null
          ? kind === ABSENT
          : stat.ctimeNs === view.getBigInt64(at + AT.changed, true) &&
            stat.mtimeNs === view.getBigInt64(at + AT.modified, true) &&
            stat.ino === view.getBigInt64(at + AT.inode, true) &&
            stat.size === view.getBigInt64(at + AT.size, true) &&
            Number(stat.mode) === view.getUint16(at + AT.mode, true) &&
            (row[at + AT.flags]! & FLAG.doubtful) === 0
      if (!isSame) (names ??= []).push(name)
    }
    start = view.getUint32(at + AT.textEnd, true)
  }
  return names === null ? null : { path, names }
}

/**
 * Null if an entry cannot be accessed, as in a directory without the x bit. The caller then checks
 * it in detail.
 */
function tryLstat(path: string): ReturnType<typeof lstatForScan> {
  try {
    return lstatForScan(path)
  } catch {
    return null
  }
}
