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
  /** What a directory of the project holds, so that it need not be looked for in it. */
  listed(directory: string, holds: (name: string) => boolean): void
  /** The id of a file that git's index knows to be as it is on the disk; else null. */
  trust(path: string, stat: ScanStat): ContentId | null
  /**
   * Gives every file of a row, as `lookPlain` makes them, its id; false when git cannot vouch for one
   * of them. None may be larger than `largest`.
   */
  vouch(directory: string, row: Buffer, largest: number): boolean
  /** Whether it has files in a directory, and may be believed. */
  mayVouch(directory: string): boolean
  /** The directories of the project in which git has files, in the order of its index. */
  directories(): string[]
  /** How large git's index is, in bytes: that is known before it is read. */
  indexSize(): number
  /** Whether git's index has this very content at this path, and its objects hold it. */
  offers(path: string, id: ContentId): boolean
  /** The bytes of an object, checked against its id; null when git does not have it any more. */
  read(id: ContentId): Buffer | null
}

interface Directory {
  readonly path: string
  readonly inRepository: string
  readonly places: ReadonlyMap<string, number>
  /** Whether git may store its files changed; null when nobody asked yet. */
  converts: boolean | null
}

// An index may be made by anybody; a path in it must not lead out of the project.
const PLAIN_PATH = /^(?!(?:.*\/)?\.{0,2}(?:\/|$))[\x20-\x7e]*$/u
const LARGEST_INDEX = 1024 * 1024 * 1024
// How coarse the clock of a file system may be: what changed this shortly before git wrote its
// index may have changed again without another time.
const TICK = 20_000_000n

export function openBorrowing({
  root,
  repository,
  objects,
  settings,
}: {
  root: string
  repository: Repository
  objects: GitObjects
  /** Null: nobody knows them, so no file is trusted unread. */
  settings: GitSettings | null
}): Borrowing {
  const inner = relative(repository.top, root)
  const prefix = inner === '' ? '' : `${inner.split(sep).join('/')}/`
  // Most observations need none of this.
  let index: GitIndex | undefined
  let trustedUntil = 0n
  let converts: ((directory: string) => boolean) | undefined
  const openIndex = (): GitIndex => {
    if (index !== undefined) return index
    const at = `${repository.directory}/index`
    // Before the reading: an index that is replaced meanwhile only looks older than it is.
    trustedUntil = (lstatForScan(at)?.mtimeNs ?? 0n) - TICK
    const bytes = readSmallFile(at, LARGEST_INDEX)
    index = (bytes === null ? null : readIndex(bytes)) ?? NO_INDEX
    return index
  }
  // Files come directory by directory, and what is the same for all of one is found out once.
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
  /** Directories that are known to have no attributes of their own. */
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
