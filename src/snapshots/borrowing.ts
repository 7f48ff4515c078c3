import { relative, sep } from 'node:path'
import { lstatForScan, readSmallFile, type ScanStat } from '#disk'
import type { ContentId } from '#timeline'
import { ATTRIBUTES_FILE, gitConversion, type GitSettings } from './git-conversion.ts'
import type { Repository } from './git-directory.ts'
import {
  ID_AT,
  indexedId,
  isAsIndexed,
  isIn,
  NO_INDEX,
  placesIn,
  readIndex,
  type GitIndex,
} from './git-index.ts'
import type { GitObjects } from './git-objects.ts'
import { vouchForRow } from './git-vouching.ts'
import { byteText } from './ignore-rules.ts'

/** Contents that the user's git already holds, so that they need not be copied (sem.K3). */
export interface Borrowing {
  /** Reports what a listed directory holds, so that later checks need no lstat. */
  listed(directory: string, holds: (name: string) => boolean): void
  /** The id of a file that is unchanged since git indexed it; otherwise null. */
  trust(path: string, stat: ScanStat): ContentId | null
  /**
   * Fills in the id of every file of a row made by `scanPlain`. Returns false if git cannot vouch
   * for one of them, or one is larger than `largest`.
   */
  vouch(directory: string, row: Buffer, largest: number): boolean
  /** Whether git has files in this directory, and no setting of the repository may convert them. */
  mayVouch(directory: string): boolean
  /** The directories of the project in which git has files, in the order of its index. */
  directories(): string[]
  /** The size of git's index in bytes. Does not read the index. */
  indexSize(): number
  /** Whether git's index has this content at this path, and the object store holds it. */
  offers(path: string, id: ContentId): boolean
  /** The bytes of an object, checked against its id; null if git no longer has it. */
  read(id: ContentId): Buffer | null
}

interface Directory {
  readonly path: string
  readonly inRepository: string
  readonly places: ReadonlyMap<string, number>
  /** Whether git may store its files converted; null until computed. */
  converts: boolean | null
}

// The index may be hostile: a path in it must not lead out of the project.
const PLAIN_PATH = /^(?!(?:.*\/)?\.{0,2}(?:\/|$))[\x20-\x7e]*$/u
const MAX_INDEX_BYTES = 1024 * 1024 * 1024
// The coarsest file system clock, in ns. A file that changed this shortly before git wrote its
// index may have changed again with the same time.
const CLOCK_GRANULARITY = 20_000_000n

export function openBorrowing({
  root,
  repository,
  objects,
  settings,
}: {
  root: string
  repository: Repository
  objects: GitObjects
  /** Null if unknown: then every file is read. */
  settings: GitSettings | null
}): Borrowing {
  const inner = relative(repository.top, root)
  const prefix = inner === '' ? '' : `${inner.split(sep).join('/')}/`
  // Loaded on first use, because most observations need none of it.
  let index: GitIndex | undefined
  let trustedUntil = 0n
  let converts: ((directory: string) => boolean) | undefined
  const openIndex = (): GitIndex => {
    if (index !== undefined) return index
    const at = `${repository.directory}/index`
    // Stat before reading: if the index is replaced in between, it only looks older than it is.
    trustedUntil = (lstatForScan(at)?.mtimeNs ?? 0n) - CLOCK_GRANULARITY
    const bytes = readSmallFile(at, MAX_INDEX_BYTES)
    index = (bytes === null ? null : readIndex(bytes)) ?? NO_INDEX
    return index
  }
  // Files arrive directory by directory, so caching the last directory is enough.
  let last: Directory | undefined
  const directoryOf = (path: string, slash: number): Directory => {
    if (last !== undefined && isIn(path, slash, last.path)) return last
    const directory = slash < 0 ? '' : path.slice(0, slash)
    const whole = inRepository(directory)
    const places = placesIn(openIndex(), byteText(whole))
    last = { path: directory, inRepository: whole, places, converts: null }
    return last
  }
  const placeOf = (path: string): number | undefined => {
    const slash = path.lastIndexOf('/')
    return directoryOf(path, slash).places.get(byteText(path.slice(slash + 1)))
  }
  const inRepository = (directory: string): string =>
    directory === '' ? prefix.slice(0, -1) : prefix + directory
  /** Directories without a `.gitattributes` of their own. */
  const plain = new Set<string>()
  const convertsIn = (inRepository: string): boolean => {
    if (settings === null) return true
    converts ??= gitConversion(repository, settings, plain)
    return converts(inRepository)
  }
  const isConverted = (path: string): boolean => {
    const directory = directoryOf(path, path.lastIndexOf('/'))
    directory.converts ??= convertsIn(directory.inRepository)
    return directory.converts
  }
  return {
    listed(directory, holds) {
      if (!holds(ATTRIBUTES_FILE)) plain.add(inRepository(directory))
    },
    trust(path, stat) {
      const place = placeOf(path)
      if (place === undefined) return null
      const isSame =
        isAsIndexed(openIndex(), place, stat) &&
        stat.mtimeNs < trustedUntil &&
        stat.ctimeNs < trustedUntil
      if (!isSame || isConverted(path)) return null
      const { bytes } = openIndex()
      if (!objects.has(bytes, place + ID_AT)) return null
      return indexedId(openIndex(), place) as ContentId
    },
    vouch(directory, row, largest) {
      const whole = inRepository(directory)
      const numbers = openIndex().directories.get(byteText(whole))
      if (numbers === undefined || convertsIn(whole)) return false
      return vouchForRow(openIndex(), numbers, row, {
        trustedUntil,
        largest,
        hasObject: (bytes, at) => objects.has(bytes, at),
      })
    },
    mayVouch(directory) {
      return openIndex().directories.has(byteText(inRepository(directory))) && !convertsIn('')
    },
    directories: () =>
      [...openIndex().directories.keys()].flatMap((directory) =>
        (directory + '/').startsWith(prefix) && PLAIN_PATH.test(directory)
          ? [directory.slice(prefix.length)]
          : [],
      ),
    indexSize: () => Number(lstatForScan(`${repository.directory}/index`)?.size ?? 0),
    offers(path, id) {
      const place = placeOf(path)
      if (place === undefined || indexedId(openIndex(), place) !== id) return false
      return objects.has(openIndex().bytes, place + ID_AT)
    },
    read: (id) => objects.readBlob(id),
  }
}
