import { relative, sep } from 'node:path'
import { lstatForScan, readSmallFile } from '#disk'
import type { Repository } from './git-directory.ts'
import { expandedPaths, isSameText, plainPaths } from './git-index.ts'
import { byteText } from './ignore-rules.ts'
import type { TrackedPaths } from './scope.ts'

/** The paths in git's index. Reads the file directly: no git process, no lock. */
export interface Tracked extends TrackedPaths {
  /** Changes whenever git writes its index. */
  readonly identity: string
  /** The directories of the project with tracked files, one character per byte. */
  directories(): Iterable<string>
  /** The names of the tracked files in a directory, likewise. */
  namesIn(directory: string): readonly string[]
}

const MAX_INDEX_BYTES = 1024 * 1024 * 1024
const NO_INDEX = ''

/** Reads the index on first use, because most scans do not need it. */
export function openTracked(root: string, repository: Repository | null): Tracked {
  const at = repository === null ? null : `${repository.directory}/index`
  const identity = at === null ? NO_INDEX : identityOf(at)
  const inner = repository === null ? '' : relative(repository.top, root)
  const prefix = inner === '' ? '' : byteText(`${inner.split(sep).join('/')}/`)
  let parts: readonly IndexPart[] | undefined
  let above: Set<string> | undefined
  const open = (): readonly IndexPart[] =>
    (parts ??= identity === NO_INDEX ? [] : readParts(repository!.directory, prefix))
  const withParents = (): Set<string> => {
    if (above !== undefined) return above
    above = new Set()
    for (const { directories } of open())
      for (const directory of directories.keys())
        for (let at = directory; at !== '' && !above.has(at); at = parentOf(at)) above.add(at)
    return above
  }
  return {
    identity,
    has(path) {
      const bytes = byteText(path)
      const directory = parentOf(bytes)
      const name = bytes.slice(bytes.lastIndexOf('/') + 1)
      return open().some((part) => namesIn(part, directory).includes(name))
    },
    hasBelow: (directory) => withParents().has(byteText(directory)),
    directories: () => new Set(open().flatMap(({ directories }) => [...directories.keys()])),
    namesIn: (directory) => [...new Set(open().flatMap((part) => namesIn(part, directory)))],
  }
}

/**
 * The index, or the shared part of a split one. Names are decoded when asked for: git writes its
 * index often, and most of a hundred thousand names are in directories that the scans know.
 */
interface IndexPart {
  readonly names: Buffer
  /** For each directory, where the paths of its files begin and end in `names`. */
  readonly directories: ReadonlyMap<string, readonly number[]>
  /** The length of the project's own path in each path. */
  readonly cut: number
}

function namesIn({ names, directories, cut }: IndexPart, directory: string): string[] {
  const places = directories.get(directory) ?? []
  const skipped = cut + (directory === '' ? 0 : directory.length + 1)
  const found: string[] = []
  for (let n = 0; n < places.length; n += 2)
    found.push(names.toString('latin1', places[n]! + skipped, places[n + 1]))
  return found
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function identityOf(path: string): string {
  const stat = lstatForScan(path)
  return stat === null ? NO_INDEX : [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
}

function readParts(directory: string, prefix: string): IndexPart[] {
  const bytes = readSmallFile(`${directory}/index`, MAX_INDEX_BYTES)
  const own = bytes === null ? null : readPart(bytes, prefix)
  if (own === null) return []
  const shared =
    own.shared === null ? null : readSmallFile(`${directory}/${own.shared}`, MAX_INDEX_BYTES)
  const base = shared === null ? null : readPart(shared, prefix)
  return base === null ? [own.part] : [own.part, base.part]
}

const EXTENDED = 0x4000
const SKIP_WORKTREE = 0x4000
const FILE_OR_LINK = new Set([0o100000, 0o120000])
const SLASH = 0x2f

interface ReadPart {
  readonly part: IndexPart
  /** The name of the shared index, if this index is split. */
  readonly shared: string | null
}

function readPart(bytes: Buffer, prefix: string): ReadPart | null {
  if (bytes.length < 32 || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  // Object ids have 20 bytes, or 32 in SHA-256 repositories.
  return tryPart(bytes, 20, prefix) ?? tryPart(bytes, 32, prefix)
}

/** Null if the bytes do not parse with ids of this length. */
function tryPart(bytes: Buffer, idLength: number, prefix: string): ReadPart | null {
  const directories = new Map<string, number[]>()
  const end = bytes.length - idLength
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const paths = version === 4 ? expandedPaths(bytes) : plainPaths(bytes)
  let at = 12
  // Entries are sorted, so those of one directory mostly follow each other.
  let inDirectory: number[] | null = null
  let last = ''
  let lastAt = -1
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + 40 + idLength
    if (flagsAt + 2 > end) return null
    const flags = (bytes[flagsAt]! << 8) | bytes[flagsAt + 1]!
    const isExtended = (flags & EXTENDED) !== 0
    const next = paths.read(at, flagsAt + (isExtended ? 4 : 2), flags & 0xfff)
    if (next < 0 || next > end) return null
    const isThere = !isExtended || (bytes.readUInt16BE(flagsAt + 2) & SKIP_WORKTREE) === 0
    if (isThere && FILE_OR_LINK.has(((bytes[at + 26]! << 8) | bytes[at + 27]!) & 0o170000)) {
      const { names, start } = paths
      let slash = paths.end - 1
      while (slash >= start && names[slash] !== SLASH) slash -= 1
      const length = Math.max(slash - start, 0)
      if (lastAt < 0 || length !== last.length || !isSameText(names, lastAt, start, length)) {
        last = names.toString('latin1', start, start + length)
        inDirectory = directoryOf(directories, `${last}/`, prefix)
      }
      lastAt = start
      const isAbsolute = slash === start
      if (inDirectory !== null && !isAbsolute && isPlainName(names, slash + 1, paths.end))
        inDirectory.push(start, paths.end)
    }
    at = next
  }
  const { isWhole, shared } = readExtensions(bytes, at, end)
  if (!isWhole) return null
  return { part: { names: paths.names, directories, cut: prefix.length }, shared }
}

/** Null for a directory outside of the project, also one that a hostile index spells so. */
function directoryOf(
  directories: Map<string, number[]>,
  whole: string,
  prefix: string,
): number[] | null {
  if (
    whole !== '/' &&
    whole
      .slice(0, -1)
      .split('/')
      .some((part) => part === '' || part === '..')
  )
    return null
  const isTop = whole === '/' && prefix === ''
  if (!isTop && !whole.startsWith(prefix)) return null
  const directory = isTop ? '' : whole.slice(prefix.length, -1)
  let known = directories.get(directory)
  if (known === undefined) directories.set(directory, (known = []))
  return known
}

const DOT = 0x2e

function isPlainName(names: Buffer, start: number, end: number): boolean {
  return end > start && !(end - start === 2 && names[start] === DOT && names[start + 1] === DOT)
}

/** Extensions fill the rest exactly. If they do not, the ids have another length. */
function readExtensions(
  bytes: Buffer,
  start: number,
  end: number,
): { isWhole: boolean; shared: string | null } {
  let shared: string | null = null
  let at = start
  while (at + 8 <= end) {
    const length = bytes.readUInt32BE(at + 4)
    if (bytes.toString('latin1', at, at + 4) === 'link') {
      const idLength = bytes.length - end
      shared = `sharedindex.${bytes.toString('hex', at + 8, at + 8 + idLength)}`
    }
    at += 8 + length
  }
  return { isWhole: at === end, shared }
}
