import { lstatSync, readdirSync } from 'node:fs'
import { AT, FLAG, HEADER, KINDS, RECORD, SELF } from './scan-row.ts'

/** A directory that contains only regular files and directories with ASCII names. */
export interface PlainDirectory {
  /** The directory's own st_mode. */
  readonly mode: number
  /**
   * Its row, in git's order. Files have no id yet, directories neither id nor mode; the scan of
   * each subdirectory adds those.
   */
  readonly row: Buffer
}

export interface PlainOptions {
  /** Directories on another device are not plain. */
  readonly device: bigint
  /** A directory that changed after this time may have changed again within one clock tick. */
  readonly racyFrom: bigint
}

const EXACT = { bigint: true, throwIfNoEntry: false } as const
const WITH_TYPES = { withFileTypes: true } as const
const FILE = KINDS.indexOf('file')
const DIRECTORY = KINDS.indexOf('directory')
const TYPE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000
const NOT_ASCII = /[^\0-\x7f]/u

/**
 * Stats a directory and every file in it without keeping an object per file, because this is most
 * of the work of a first snapshot. Null if the directory is not plain or disappeared; then the
 * slower, complete scan handles it.
 */
export function scanPlain(path: string, { device, racyFrom }: PlainOptions): PlainDirectory | null {
  // A path with bytes that are not UTF-8 would reach another file.
  if (!path.isWellFormed()) return null
  try {
    // Stat before listing: a name that is added later changes the times.
    const self = lstatSync(path, EXACT)
    if (self === undefined || self.dev !== device) return null
    const mode = Number(self.mode)
    if ((mode & TYPE) !== FOLDER) return null
    const listed = readdirSync(path, WITH_TYPES).map((entry) => {
      const isDirectory = entry.isDirectory()
      // Git sorts a directory as if its name ended in a slash.
      return { name: entry.name, isDirectory, sort: isDirectory ? `${entry.name}/` : entry.name }
    })
    listed.sort((a, b) => (a.sort < b.sort ? -1 : 1))
    let names = ''
    for (const { name } of listed) names += name
    if (NOT_ASCII.test(names)) return null

    const textAt = HEADER + RECORD * listed.length
    const row = Buffer.alloc(textAt + names.length)
    row.write(names, textAt, 'latin1')
    const view = new DataView(row.buffer, row.byteOffset, row.length)
    view.setBigInt64(SELF.modified, self.mtimeNs, true)
    view.setBigInt64(SELF.changed, self.ctimeNs, true)
    view.setBigInt64(SELF.inode, self.ino, true)
    const isDoubtful = self.mtimeNs >= racyFrom || self.ctimeNs >= racyFrom
    view.setUint32(SELF.flags, isDoubtful ? FLAG.doubtful : 0, true)
    view.setUint32(SELF.count, listed.length, true)
    const prefix = `${path}/`
    let at = HEADER
    let end = textAt
    for (const { name, isDirectory } of listed) {
      end += name.length
      view.setUint32(at + AT.nameEnd, end, true)
      view.setUint32(at + AT.textEnd, end, true)
      if (isDirectory) view.setUint8(at + AT.kind, DIRECTORY)
      else {
        const stat = lstatSync(prefix + name, EXACT)
        if (stat === undefined || stat.nlink !== 1n) return null
        const fileMode = Number(stat.mode)
        if ((fileMode & TYPE) !== REGULAR) return null
        view.setBigInt64(at + AT.modified, stat.mtimeNs, true)
        view.setBigInt64(at + AT.changed, stat.ctimeNs, true)
        view.setBigInt64(at + AT.inode, stat.ino, true)
        view.setBigInt64(at + AT.size, stat.size, true)
        view.setUint16(at + AT.mode, fileMode, true)
        view.setUint8(at + AT.kind, FILE)
      }
      at += RECORD
    }
    return { mode, row }
  } catch {
    return null
  }
}
