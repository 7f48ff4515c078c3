import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSameFile, nameBytes, nameText, type Disk } from '../../src/disk/index.ts'

export interface FoldingOptions {
  readonly isEqual?: (a: string, b: string) => boolean
  /** Linux does nothing if both names of a rename lead to the same file. */
  readonly ignoresRespelling?: boolean
  /** Whether open files can be reached through /proc, as on Linux. */
  readonly hasProc?: boolean
}

/**
 * A disk that finds names in any case and Unicode form, and keeps them as they were made, like that
 * of a Mac. Below it is a real one that distinguishes them. It shares no code with Retake.
 */
export function foldingDisk(
  disk: Disk,
  { isEqual = inAnyCaseAndForm, ignoresRespelling = false, hasProc = true }: FoldingOptions = {},
): Disk {
  const find = (directory: string, name: string): string => {
    const whole = join(directory, name)
    if (name === '' || name === '.' || exists(whole) || !existsSync(nameBytes(directory)))
      return whole
    const names = readdirSync(nameBytes(directory), { encoding: 'buffer' }).map(nameText)
    return join(directory, names.find((each) => isEqual(each, name)) ?? name)
  }
  /** The real path of what a lookup finds. */
  const real = (path: Buffer): Buffer => {
    const text = nameText(path)
    const [, held = '', rest = ''] = /^(\/proc\/self\/fd\/\d+)?(.*)$/su.exec(text)!
    // The kernel resolves links in the given path only at its end, so `join` may tidy the rest.
    const parts = rest.split('/').filter(Boolean)
    const found = parts.reduce((at, part) => find(at, part), held === '' ? '/' : held)
    return nameBytes(rest.endsWith('/.') ? `${found}/.` : found)
  }
  const folding: Disk = {
    ...disk,
    openFile: (path) => disk.openFile(real(path)),
    openDirectory: (path, links) => disk.openDirectory(real(path), links),
    openAppend: (path) => disk.openAppend(real(path)),
    stat: (path) => disk.stat(real(path)),
    list: (path) => disk.list(real(path)),
    readLink: (path) => disk.readLink(real(path)),
    isWritable: (path) => disk.isWritable(real(path)),
    space: (path) => disk.space(real(path)),
    create: (path, mode) => disk.create(real(path), mode),
    rename(from, to) {
      const [source, target] = [real(from), real(to)]
      const isSame = isSameFile(disk.stat(source), disk.stat(target))
      if (isSame && ignoresRespelling) return
      const given = nameText(to)
      const name = given.slice(given.lastIndexOf('/') + 1)
      disk.rename(source, isSame ? nameBytes(join(dirname(nameText(target)), name)) : target)
    },
    link: (from, to) => disk.link(real(from), real(to)),
    symlink: (target, path) => disk.symlink(target, real(path)),
    unlink: (path) => disk.unlink(real(path)),
    makeDirectory: (path, mode) => disk.makeDirectory(real(path), mode),
    removeDirectory: (path) => disk.removeDirectory(real(path)),
  }
  return hasProc ? folding : withoutProc(folding)
}

/** Directories are then held by their path, as on a Mac. */
export function withoutProc(disk: Disk): Disk {
  const isHidden = (path: Buffer): boolean => path.toString().startsWith('/proc/')
  return { ...disk, stat: (path) => (isHidden(path) ? null : disk.stat(path)) }
}

function exists(path: string): boolean {
  return lstatSync(nameBytes(path), { throwIfNoEntry: false }) !== undefined
}

function inAnyCaseAndForm(a: string, b: string): boolean {
  return a.normalize('NFD').toLowerCase() === b.normalize('NFD').toLowerCase()
}
