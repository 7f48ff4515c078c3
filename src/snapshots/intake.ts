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
  /**
   * In bytes: one file, and all new contents of one observation. Anything beyond is listed, not
   * stored.
   */
  readonly file: number
  readonly observation: number
}

export const DEFAULT_LIMITS: Limits = { file: 50 * 1024 * 1024, observation: 500 * 1024 * 1024 }

/** Reads files into the store, within the limits. */
export interface Intake {
  /** Reports what a listed directory holds. */
  listed(path: string, holds: (name: string) => boolean): void
  /**
   * Fills in the ids of all files of a plain row; false if each file must be taken individually.
   */
  vouch(directory: string, row: Buffer): boolean
  /** The entry at a path now; null if it disappeared since it was listed. */
  take(path: string, stat: ScanStat, options: { mayBorrow: boolean }): RowEntry | null
  /** Copies a content into the store if it is not there; false if it is lost. */
  secure(id: ContentId): boolean
  /** The bytes of a content, from the store or from git. */
  readonly bytesOf: (id: ContentId) => Buffer | null
  /** Writes buffered contents. Call it inside the transaction that refers to them. */
  flush(): void
  readonly stored: number
}

/** A file that changed this shortly before a scan may change again with the same times. */
const RACY_WINDOW = 2_000_000_000n
const BATCH_BYTES = 16 * 1024 * 1024

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

  // Flush in batches: one transaction would block every other process for the whole first snapshot.
  // A crash leaves only unreferenced contents, which do no harm.
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
    if (pendingBytes > BATCH_BYTES) flush()
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
        ...statOf(stat),
        kind: 'left-out',
        id: '',
        text: why,
        // Retry these: the next observation has its own limit, and may have permission to read.
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
      // Use the stat of the opened file: it may have been replaced since it was listed.
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
  return BigInt(Math.floor(now)) * 1_000_000n - RACY_WINDOW
}

function statOf(
  stat: ScanStat,
): Pick<RowEntry, 'mode' | 'size' | 'modified' | 'changed' | 'inode'> {
  return {
    mode: Number(stat.mode),
    size: stat.size,
    modified: stat.mtimeNs,
    changed: stat.ctimeNs,
    inode: stat.ino,
  }
}

/** Reads through the pinned root, so a directory swapped for a symlink cannot redirect the read. */
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
    // List an unreadable file as such; its previous value stays recorded.
    if (errnoOf(error) !== undefined) return 'unreadable'
    throw error
  }
}
