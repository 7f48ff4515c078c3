import { errnoOf, isSameFile, type Disk, type Stat } from './durable-disk.ts'
import { nameBytes, nameText, splitLast } from './names.ts'

/** What a volume disregards when it compares names. Most volumes of Linux disregard nothing. */
export interface Folding {
  readonly case: boolean
  /** The Unicode form: `é` as one character or as two. */
  readonly form: boolean
}

interface Known {
  readonly folding: Folding
  /** Where it was found out. */
  readonly path: string
  readonly stat: Stat
  readonly at: number
}

/** By disk and device: the answer is the same everywhere on a volume. */
const known = new WeakMap<Disk, Map<bigint, Known>>()
/** Milliseconds. */
const FRESH = 60_000

/**
 * Finds out with names that exist: if another spelling leads to the same file, the volume folds.
 * Nothing is written. A volume without a name to try is taken to fold, the careful answer.
 */
export function foldingOf(
  disk: Disk,
  { path, stat }: { readonly path: string; readonly stat: Stat },
): Folding {
  let onDisk = known.get(disk)
  if (onDisk === undefined) known.set(disk, (onDisk = new Map()))
  const cached = onDisk.get(stat.device)
  if (cached !== undefined && isStillTrue(disk, cached)) return cached.folding
  const names = namesIn(disk, path)
  const isCase = tryNames(disk, { path, stat, names }, otherCase)
  const isForm = tryNames(disk, { path, stat, names }, otherForm)
  const folding = {
    case: isCase ?? true,
    // Few names have two forms. All file systems of macOS disregard it.
    form: isForm ?? (process.platform === 'darwin' || isCase !== false),
  }
  if (isCase !== null) onDisk.set(stat.device, { folding, path, stat, at: process.uptime() * 1000 })
  return folding
}

/** The system gives the device number of an unmounted volume to another one. */
function isStillTrue(disk: Disk, { path, stat, at }: Known): boolean {
  return process.uptime() * 1000 - at < FRESH && isSameFile(stat, tryStat(disk, nameBytes(path)))
}

export function folds(folding: Folding): boolean {
  return folding.case || folding.form
}

/** Tries the names in the directory, then its own name and those of its parents. */
function tryNames(
  disk: Disk,
  {
    path: directory,
    stat: { device },
    names,
  }: { readonly path: string; readonly stat: Stat; readonly names: readonly string[] },
  respell: (name: string) => string,
): boolean | null {
  const all = new Set(names)
  for (const name of all) {
    const other = respell(name)
    // Both names exist: two files, or hard links of one.
    if (other === name || all.has(other)) continue
    const path = nameBytes(`${directory}/${name}`)
    const stat = tryStat(disk, path)
    if (stat === null || stat.device !== device) continue
    if (isSameFile(stat, tryStat(disk, nameBytes(`${directory}/${other}`)))) return true
    // If another program has just removed it, the second lookup proves nothing.
    if (isSameFile(stat, tryStat(disk, path))) return false
  }
  for (let { parent, name } = splitLast(directory); name !== '';) {
    const other = respell(name)
    const [one, two] = [name, other].map((each) => tryStat(disk, nameBytes(`${parent}/${each}`)))
    if (one?.device !== device || tryStat(disk, nameBytes(`${parent}/.`))?.device !== device) break
    if (other !== name) return isSameFile(one, two!)
    ;({ parent, name } = splitLast(parent))
  }
  return null
}

/** A part of the path can become a file or unreadable at any moment. Then there is nothing to try. */
function tryStat(disk: Disk, path: Buffer): Stat | null {
  try {
    return disk.stat(path)
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return null
  }
}

/** A directory that may not be listed has no names to try. */
function namesIn(disk: Disk, directory: string): string[] {
  try {
    return disk.list(nameBytes(`${directory}/.`)).map(nameText)
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return []
  }
}

/** Only ASCII letters: XFS folds no others, and `ß` has a capital that is two letters. */
function otherCase(name: string): string {
  const lower = name.replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase())
  return name === lower ? name.replaceAll(/[a-z]/gu, (letter) => letter.toUpperCase()) : lower
}

function otherForm(name: string): string {
  const composed = name.normalize('NFC')
  return name === composed ? name.normalize('NFD') : composed
}
