import {
  errnoOf,
  kindOf,
  nameBytes,
  readValue,
  type PinnedRoot,
  type RowEntry,
  type ScanStat,
} from '#disk'
import { Failure } from '#failure'
import { contentIdOf, getContent, hasContent, putContent, write, type Store } from '#store'
import type { ContentId } from '#timeline'
import type { Borrowing } from './borrowing.ts'
import type { LeftOutWhy } from './entry-value.ts'

export interface Limits {
  /** Bytes of one file, and of all new contents of one observation. More is listed, not stored. */
  readonly file: number
  readonly observation: number
}

export const DEFAULT_LIMITS: Limits = { file: 50 * 1024 * 1024, observation: 500 * 1024 * 1024 }

/** Takes files into the store, within the limits. */
export interface Intake {
  /** What a directory has been found to hold. */
  listed(path: string, holds: (name: string) => boolean): void
  /** Gives every file of a plain row its id; false when they have to be taken one by one. */
  vouch(directory: string, row: Buffer): boolean
  /** What stands at a path now; null when it went away since it was listed. */
  take(path: string, stat: ScanStat, options: { mayBorrow: boolean }): RowEntry | null
  /** Makes sure that the store itself has a content; false when nobody has it any more. */
  secure(id: ContentId): boolean
  /** The bytes of a content, the store's or git's. */
  readonly bytesOf: (id: ContentId) => Buffer | null
  /** Writes what is still held back; inside the transaction that names it. */
  flush(): void
  readonly stored: number
}

/** A change this close before a look may be followed by one that leaves the same times. */
const RACY = 2_000_000_000n
const BATCH = 16 * 1024 * 1024

export function openIntake({
  root,
  store,
  limits,
  borrowing,
  now,
}: {
  root: PinnedRoot
  store: Store
  limits: Limits
  borrowing: Borrowing | null
  now: number
}): Intake {
  const racyFrom = racySince(now)
  const pending = new Map<ContentId, Buffer>()
  let pendingBytes = 0
  let stored = 0

  // What a crash leaves of this are contents that nothing names yet: harmless. All in one
  // transaction would hold up every other process for as long as a first snapshot takes.
  const flush = (): void => {
    if (pending.size === 0) return
    write(store, () => {
      for (const bytes of pending.values()) putContent(store, bytes)
    })
    pending.clear()
    pendingBytes = 0
  }
  const keep = (id: ContentId, bytes: Buffer): void => {
    pending.set(id, bytes)
    pendingBytes += bytes.length
    stored += bytes.length
    if (pendingBytes > BATCH) flush()
  }
  const isKept = (id: ContentId): boolean => pending.has(id) || hasContent(store, id)

  const largest = BigInt(limits.file)

  return {
    listed(path, holds) {
      borrowing?.listed(path, holds)
    },
    vouch: (directory, row) => borrowing?.vouch(directory, row, limits.file) ?? false,
    take(path, stat, { mayBorrow }) {
      const leave = (why: LeftOutWhy): RowEntry => ({
        ...seen(stat),
        kind: 'left-out',
        id: '',
        text: why,
        // The next observation has a limit of its own, and may be allowed to read.
        isDoubtful: why === 'over-limit' || why === 'unreadable',
      })
      const kind = kindOf(stat)
      if (kind === 'file') {
        if (stat.nlink > 1n) return leave('hard-linked')
        if (stat.size > largest) return leave('too-big')
      } else if (kind !== 'symlink') return leave('special')

      const trusted = mayBorrow && kind === 'file' ? (borrowing?.trust(path, stat) ?? null) : null
      if (trusted !== null)
        return {
          kind: 'file',
          mode: Number(stat.mode),
          size: stat.size,
          modified: stat.mtimeNs,
          changed: stat.ctimeNs,
          inode: stat.ino,
          id: trusted,
          text: '',
          isDoubtful: false,
        }

      const found = tryRead(root, path)
      if (found === 'unreadable' || found === 'other-file-system') return leave(found)
      if (found.kind === 'absent') return null
      if (found.kind === 'directory' || found.kind === 'special') return leave('special')
      // The file that was opened counts; another may have taken its place since it was listed.
      const entry = {
        size: BigInt(found.stat.size),
        modified: found.stat.modified,
        changed: found.stat.changed,
        inode: found.stat.inode,
        isDoubtful: found.stat.changed >= racyFrom || found.stat.modified >= racyFrom,
      }
      if (found.kind === 'symlink') {
        const id = contentIdOf(nameBytes(found.target))
        return { ...entry, mode: LINK | found.stat.mode, kind: 'symlink', id, text: found.target }
      }
      const { bytes } = found
      if (found.stat.links > 1) return leave('hard-linked')
      if (bytes.length > limits.file) return leave('too-big')
      const id = found.content as ContentId
      if (!isKept(id) && !(mayBorrow && borrowing?.offers(path, id))) {
        if (stored + bytes.length > limits.observation) return leave('over-limit')
        keep(id, bytes)
      }
      return { ...entry, mode: FILE | found.stat.mode, kind: 'file', id, text: '' }
    },
    secure(id) {
      if (isKept(id)) return true
      const bytes = borrowing?.read(id) ?? null
      if (bytes !== null) keep(id, bytes)
      return bytes !== null
    },
    bytesOf(id) {
      if (pending.has(id)) return pending.get(id)!
      return hasContent(store, id) ? getContent(store, id) : (borrowing?.read(id) ?? null)
    },
    flush,
    get stored() {
      return stored
    },
  }
}

const FILE = 0o100000
const LINK = 0o120000

export function racySince(now: number): bigint {
  return BigInt(Math.floor(now)) * 1_000_000n - RACY
}

function seen(stat: ScanStat): Pick<RowEntry, 'mode' | 'size' | 'modified' | 'changed' | 'inode'> {
  return {
    mode: Number(stat.mode),
    size: stat.size,
    modified: stat.mtimeNs,
    changed: stat.ctimeNs,
    inode: stat.ino,
  }
}

/** Reads through the pinned root: a directory swapped for a link leads nowhere. */
function tryRead(
  root: PinnedRoot,
  path: string,
): ReturnType<typeof readValue> | 'unreadable' | 'other-file-system' {
  try {
    return readValue(root, path)
  } catch (error) {
    if (error instanceof Failure)
      return error.code === 'mount-crossed' ? 'other-file-system' : 'unreadable'
    if (errnoOf(error) === 'ENOENT') return { kind: 'absent' }
    // A file that cannot be read now is listed as such; what it was before stays known.
    if (errnoOf(error) !== undefined) return 'unreadable'
    throw error
  }
}
