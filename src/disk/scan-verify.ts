import { nameText } from './names.ts'
import { lstatForScan } from './scan-list.ts'
import { AT, countOf, FLAG, HEADER, KINDS, RECORD, SELF } from './scan-row.ts'

/** What differs in one directory from what was last seen: all of it, or some of its names. */
export interface Finding {
  readonly path: string
  readonly names: readonly string[] | 'list-again'
}

const DIRECTORY = KINDS.indexOf('directory')
const ABSENT = KINDS.indexOf('absent')

/**
 * Compares a directory with its row, one lstat per entry. A directory whose own times are the same
 * got no new name and lost none, so it is not listed; where `trustTimes` is false (a file system
 * that may not keep them) it always is.
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
  if (
    self === null ||
    !trustTimes ||
    self.ctimeNs !== row.readBigInt64LE(SELF.changed) ||
    self.mtimeNs !== row.readBigInt64LE(SELF.modified) ||
    self.ino !== row.readBigInt64LE(SELF.inode) ||
    (row.readUInt32LE(SELF.flags) & FLAG.doubtful) !== 0
  )
    return { path, names: 'list-again' }

  const count = countOf(row)
  const prefix = `${directory}/`
  let names: string[] | null = null
  let start = HEADER + RECORD * count
  for (let at = HEADER; at < HEADER + RECORD * count; at += RECORD) {
    const nameEnd = row.readUInt32LE(at + AT.nameEnd)
    const kind = row[at + AT.kind]
    if (kind !== DIRECTORY) {
      const name = nameText(row.subarray(start, nameEnd))
      const stat = tryLstat(prefix + name)
      const isSame =
        stat === null
          ? kind === ABSENT
          : stat.ctimeNs === row.readBigInt64LE(at + AT.changed) &&
            stat.mtimeNs === row.readBigInt64LE(at + AT.modified) &&
            stat.ino === row.readBigInt64LE(at + AT.inode) &&
            stat.size === row.readBigInt64LE(at + AT.size) &&
            Number(stat.mode) === row.readUInt16LE(at + AT.mode) &&
            (row[at + AT.flags]! & FLAG.doubtful) === 0
      if (!isSame) (names ??= []).push(name)
    }
    start = row.readUInt32LE(at + AT.textEnd)
  }
  return names === null ? null : { path, names }
}

/** A directory that lost its x bit lets nobody look at its entries: to be looked at more closely. */
function tryLstat(path: string): ReturnType<typeof lstatForScan> {
  try {
    return lstatForScan(path)
  } catch {
    return null
  }
}
