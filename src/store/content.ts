import { createHash } from 'node:crypto'
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { command, Failure, remedy } from '#failure'
import { blobId, makePrivateDirectory, nameBytes, nameText, readOwnFile, writeOnce } from '#disk'
import type { ContentId } from '#timeline'
import { all, one, run, type Row } from './database.ts'
import { write, type Store } from './store.ts'

/** Larger contents are stored in files, so that one video does not fill SQLite's page cache. */
export const LARGE = 8 * 1024 * 1024
const LARGE_DIRECTORY = 'large'
const MIN_COMPRESSED_SIZE = 128

function sha256Of(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

export function contentIdOf(bytes: Buffer): ContentId {
  return blobId(bytes) as ContentId
}

/**
 * Stores the bytes and returns their id. The file of a large content is synced before its row is
 * inserted, so that no row refers to a missing file.
 */
export function putContent(store: Store, content: Uint8Array): ContentId {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return putKnownContent(store, bytes, contentIdOf(bytes))
}

/** The same for bytes whose id the caller has just computed. */
export function putKnownContent(store: Store, bytes: Buffer, id: ContentId): ContentId {
  const sha256 = sha256Of(bytes)
  return write(store, () => {
    const known = one(store.database, 'select sha256, aside from content where id = ?', id)
    if (known !== undefined) {
      // SHA-1 collisions can be constructed. Treating the second content as the first would lose
      // it.
      if (!sha256.equals(Buffer.from(known['sha256'] as Uint8Array)))
        throw new Failure('content-collision', `Two different contents have the id ${id}`, {
          hint: 'One of them was made to collide with the other. Nothing was changed.',
        })
      if (known['aside'] !== null) keepContentAgain(store, id)
      return id
    }
    const { encoding, packed } = pack(bytes)
    const isLarge = packed.length > LARGE
    if (isLarge) writeOnce(store.disk, largeDirectory(store), id, packed)
    run(
      store.database,
      'insert into content (id, size, sha256, encoding, crc, bytes) values (?, ?, ?, ?, ?, ?)',
      id,
      bytes.length,
      sha256,
      encoding,
      crc32(packed),
      isLarge ? null : packed,
    )
    return id
  })
}

/** False for contents that gc put aside: nothing new may refer to them. */
export function hasContent(store: Store, id: ContentId): boolean {
  return contentSize(store, id) !== null
}

/** The size in bytes; null if the content is not in the store. */
export function contentSize(store: Store, id: ContentId): number | null {
  const row = one(store.database, 'select size from content where id = ? and aside is null', id)
  return row === undefined ? null : Number(row['size'])
}

/** The bytes, verified against their id. Damaged bytes are never returned. */
export function getContent(
  store: Store,
  id: ContentId,
  { evenAside = false }: { evenAside?: boolean } = {},
): Buffer {
  const row = one(
    store.database,
    `select ${PACKED} from content where id = ? and (aside is null or ?)`,
    id,
    evenAside ? 1 : 0,
  )
  if (row === undefined)
    throw new Failure('content-missing', `The content ${id} is not in the store.`, {
      hint: remedy`${command('check')} to see what can still be restored.`,
    })
  const bytes = unpack(packedBytes(store, id, row), id, row)
  if (bytes === null)
    throw new Failure('content-damaged', `The content ${id} in the store is damaged.`, {
      hint: remedy`${command('check', [], { readData: true })} to list all damaged contents. The others are intact.`,
    })
  return bytes
}

/** A stored content, without its bytes. */
export interface KeptContent {
  readonly id: ContentId
  readonly size: number
  /** Size on disk in bytes. */
  readonly packed: number
  /** When gc put it aside, in ms; otherwise null. */
  readonly aside: number | null
}

export function listContents(store: Store): KeptContent[] {
  return all(
    store.database,
    'select id, size, length(bytes) as packed, aside from content order by id',
  ).map((row) => toKept(store, row))
}

/** One content; null if it is not in the store, not even put aside. */
export function findContent(store: Store, id: ContentId): KeptContent | null {
  const row = one(
    store.database,
    'select id, size, length(bytes) as packed, aside from content where id = ?',
    id,
  )
  return row === undefined ? null : toKept(store, row)
}

function toKept(store: Store, row: Row): KeptContent {
  const id = String(row['id']) as ContentId
  return {
    id,
    size: Number(row['size']),
    packed: row['packed'] === null ? largeSize(store, id) : Number(row['packed']),
    aside: row['aside'] === null ? null : Number(row['aside']),
  }
}

/** Marks a content for deletion. It can be read until it is dropped. */
export function setContentAside(store: Store, id: ContentId, at: number): void {
  write(store, () => run(store.database, 'update content set aside = ? where id = ?', at, id))
}

export function keepContentAgain(store: Store, id: ContentId): void {
  write(store, () => run(store.database, 'update content set aside = null where id = ?', id))
}

/** Permanent. `sweepLarge` removes the files of large contents after the commit. */
export function dropContent(store: Store, id: ContentId): void {
  write(store, () => run(store.database, 'delete from content where id = ?', id))
}

/** Columns by name: a damaged column name must raise an error, not read as a missing value. */
const PACKED = 'size, sha256, encoding, crc, bytes'

export type ContentProblem = { readonly id: string; readonly problem: 'damaged' | 'missing' }

/** Every damaged or missing content. Without `readData`, only checks that files exist. */
export function checkContents(store: Store, { readData }: { readData: boolean }): ContentProblem[] {
  const columns = readData ? PACKED : 'id, bytes is null and size > 0 as large'
  const problems: ContentProblem[] = []
  // One row at a time, because all contents may not fit into memory.
  for (const { id: name } of all(store.database, 'select id from content order by id')) {
    const id = String(name)
    const row = one(store.database, `select ${columns} from content where id = ?`, id)
    if (row === undefined) continue
    const isLarge = readData ? row['bytes'] === null && row['size'] !== 0 : row['large'] === 1
    if (isLarge && !isLargeThere(store, id)) {
      problems.push({ id, problem: 'missing' })
      continue
    }
    if (!readData) continue
    const packed = packedBytes(store, id, row)
    const isWhole = packed !== null && crc32(packed) === row['crc']
    const bytes = isWhole ? unpack(packed, id, row) : null
    const isSame =
      bytes !== null && sha256Of(bytes).equals(Buffer.from(row['sha256'] as Uint8Array))
    if (!isSame) problems.push({ id, problem: 'damaged' })
  }
  return problems
}

/** Removes files of large contents without a row: the process died before the commit. */
export function sweepLarge(store: Store): number {
  const directory = `${store.directory}/${LARGE_DIRECTORY}`
  if (store.disk.stat(nameBytes(directory)) === null) return 0
  // In a write transaction, so that another process cannot be between its file and its row.
  return write(store, () => {
    let removed = 0
    for (const entry of store.disk.list(nameBytes(directory))) {
      const name = nameText(entry)
      if (one(store.database, 'select 1 from content where id = ?', name) !== undefined) continue
      store.disk.unlink(nameBytes(`${directory}/${name}`))
      removed += 1
    }
    return removed
  })
}

/** Compresses only if that saves space: images and archives do not shrink. */
function pack(bytes: Buffer): { encoding: 'raw' | 'zstd'; packed: Buffer } {
  if (bytes.length < MIN_COMPRESSED_SIZE) return { encoding: 'raw', packed: bytes }
  const packed = zstdCompressSync(bytes, { pledgedSrcSize: bytes.length })
  return packed.length < bytes.length
    ? { encoding: 'zstd', packed }
    : { encoding: 'raw', packed: bytes }
}

function packedBytes(store: Store, id: string, row: Row): Buffer | null {
  // Retake 0.1.0 on Node 22 stored null for empty contents.
  if (Number(row['size']) === 0) return Buffer.alloc(0)
  return row['bytes'] === null
    ? readOwnFile(store.disk, `${store.directory}/${LARGE_DIRECTORY}/${id}`)
    : Buffer.from(row['bytes'] as Uint8Array)
}

function unpack(packed: Buffer | null, id: string, row: Row): Buffer | null {
  if (packed === null) return null
  const size = Number(row['size'])
  let bytes = packed
  if (row['encoding'] === 'zstd') {
    try {
      // Limit the output: damaged bytes must not decompress into all of the memory.
      bytes = zstdDecompressSync(packed, { maxOutputLength: Math.max(size, 1) })
    } catch {
      return null
    }
  }
  return bytes.length === size && blobId(bytes) === id ? bytes : null
}

/** Only a stat: a check without data must be quick. */
function isLargeThere(store: Store, id: string): boolean {
  return store.disk.stat(nameBytes(`${store.directory}/${LARGE_DIRECTORY}/${id}`)) !== null
}

function largeSize(store: Store, id: string): number {
  return store.disk.stat(nameBytes(`${store.directory}/${LARGE_DIRECTORY}/${id}`))?.size ?? 0
}

function largeDirectory(store: Store): string {
  return makePrivateDirectory(store.disk, store.directory, [LARGE_DIRECTORY])
}
