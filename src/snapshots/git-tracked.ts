import { relative, sep } from 'node:path'
import { lstatForScan, readSmallFile } from '#disk'
import type { Repository } from './git-directory.ts'
import { expandedPaths, plainPaths } from './git-index.ts'
import { byteText } from './ignore-rules.ts'
import type { TrackedPaths } from './scope.ts'

/** The paths in git's index. Reads the file directly: no git process, no lock. */
export interface Tracked extends TrackedPaths {
  /** Changes whenever git writes its index. */
  readonly identity: string
  /** The directories of the project with tracked files, and the names of these files. */
  directories(): Iterable<readonly [string, readonly string[]]>
}

const MAX_INDEX_BYTES = 1024 * 1024 * 1024
const NO_INDEX = ''

/** Reads the index on first use, because most scans do not need it. */
export function openTracked(root: string, repository: Repository | null): Tracked {
  const at = repository === null ? null : `${repository.directory}/index`
  const identity = at === null ? NO_INDEX : identityOf(at)
  const inner = repository === null ? '' : relative(repository.top, root)
  const prefix = inner === '' ? '' : byteText(`${inner.split(sep).join('/')}/`)
  let names: Map<string, string[]> | undefined
  let above: Set<string> | undefined
  const open = (): Map<string, string[]> =>
    (names ??= identity === NO_INDEX ? new Map() : readNames(repository!.directory, prefix))
  const withParents = (): Set<string> => {
    if (above !== undefined) return above
    above = new Set()
    for (const directory of open().keys())
      for (let at = directory; at !== '' && !above.has(at); at = parentOf(at)) above.add(at)
    return above
  }
  return {
    identity,
    has(path) {
      const bytes = byteText(path)
      const slash = bytes.lastIndexOf('/')
      return (
        open()
          .get(parentOf(bytes))
          ?.includes(bytes.slice(slash + 1)) === true
      )
    },
    hasBelow: (directory) => withParents().has(byteText(directory)),
    directories: () => open(),
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function identityOf(path: string): string {
  const stat = lstatForScan(path)
  return stat === null ? NO_INDEX : [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
}

/** Keyed by directory, one character per byte. Includes the shared part of a split index. */
function readNames(directory: string, prefix: string): Map<string, string[]> {
  const names = new Map<string, string[]>()
  const bytes = readSmallFile(`${directory}/index`, MAX_INDEX_BYTES)
  if (bytes === null) return names
  const shared = addNames(names, bytes, prefix)
  const base = shared === null ? null : readSmallFile(`${directory}/${shared}`, MAX_INDEX_BYTES)
  if (base !== null) addNames(names, base, prefix)
  return names
}

const EXTENDED = 0x4000
const SKIP_WORKTREE = 0x4000
const FILE_OR_LINK = new Set([0o100000, 0o120000])

/** Returns the name of the shared index, if this index is split. */
function addNames(names: Map<string, string[]>, bytes: Buffer, prefix: string): string | null {
  if (bytes.length < 32 || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  // Object ids have 20 bytes, or 32 in SHA-256 repositories.
  for (const idLength of [20, 32]) {
    const found = tryNames(bytes, idLength, prefix)
    if (found === null) continue
    for (const [directory, list] of found.names)
      names.set(directory, [...(names.get(directory) ?? []), ...list])
    return found.shared
  }
  return null
}

/** Null if the bytes do not parse with ids of this length. */
function tryNames(
  bytes: Buffer,
  idLength: number,
  prefix: string,
): { names: Map<string, string[]>; shared: string | null } | null {
  const names = new Map<string, string[]>()
  const end = bytes.length - idLength
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const paths = version === 4 ? expandedPaths(bytes) : plainPaths(bytes)
  // A part of a string would keep the whole path in memory.
  const flat = (length: number): string =>
    paths.names.toString('latin1', paths.end - length, paths.end)
  let at = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + 40 + idLength
    if (flagsAt + 2 > end) return null
    const flags = bytes.readUInt16BE(flagsAt)
    const isExtended = (flags & EXTENDED) !== 0
    const next = paths.read(at, flagsAt + (isExtended ? 4 : 2), flags & 0xfff)
    if (next < 0 || next > end) return null
    const isThere = !isExtended || (bytes.readUInt16BE(flagsAt + 2) & SKIP_WORKTREE) === 0
    if (isThere && FILE_OR_LINK.has(bytes.readUInt32BE(at + 24) & 0o170000)) {
      const path = paths.names.toString('latin1', paths.start, paths.end)
      if (path.startsWith(prefix)) add(names, path.slice(prefix.length), flat)
    }
    at = next
  }
  const { isWhole, shared } = readExtensions(bytes, at, end)
  return isWhole ? { names, shared } : null
}

function add(names: Map<string, string[]>, path: string, flat: (length: number) => string): void {
  // The index may be hostile: a path in it must not lead out of the project.
  if (path === '' || path.split('/').some((part) => part === '' || part === '..')) return
  const directory = parentOf(path)
  const name = flat(path.length - (directory === '' ? 0 : directory.length + 1))
  const known = names.get(directory)
  if (known === undefined) names.set(directory, [name])
  // The stages of a conflict are consecutive entries with the same name.
  else if (known.at(-1) !== name) known.push(name)
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
