import { createHash } from 'node:crypto'
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { command, Failure, remedy } from '#failure'
import { blobId, makePrivateDirectory, nameBytes, nameText, readOwnFile, writeOnce } from '#disk'
import type { ContentId } from '#timeline'
import { all, one, run, type Row } from './database.ts'
import { write, type Store } from './store.ts'

/** Larger contents live in files: a database page cache full of one video helps nobody. */
export const LARGE = 8 * 1024 * 1024
const LARGE_DIRECTORY = 'large'
const WORTH_COMPRESSING = 128

function sha256Of(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

export function contentIdOf(bytes: Buffer): ContentId {
  return blobId(bytes) as ContentId
}

/**
 * Keeps the bytes and returns their id. A large content's file is synced before the row that names
 * it, so that no row ever names a file that is not there.
 */
export function putContent(store: Store, content: Uint8Array): ContentId {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const id = contentIdOf(bytes)
  const sha256 = sha256Of(bytes)
  return write(store, () => {
    const known = one(store.database, 'select sha256, aside from content where id = ?', id)
    if (known !== undefined) {
      // SHA-1 can be made to collide. Taking the second content for the first would lose it.
      if (!sha256.equals(Buffer.from(known['sha256'] as Uint8Array)))
        throw new Failure('content-collision', `Two different contents have the id ${id}`, {
          hint: 'One of them was made to collide with the other. Nothing was changed.',
        })
      if (known['aside'] !== null) takeBack(store, id)
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

/** What is put aside is not had: nothing new may be built on it. */
export function hasContent(store: Store, id: ContentId): boolean {
  return contentSize(store, id) !== null
}

/** How many bytes a content has; null when it is not in the store. */
export function contentSize(store: Store, id: ContentId): number | null {
  const row = one(store.database, 'select size from content where id = ? and aside is null', id)
  return row === undefined ? null : Number(row['size'])
}

/** The bytes, checked against their id: damaged bytes are never handed out. */
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

/** A content as the store has it, without its bytes. */
export interface KeptContent {
  readonly id: ContentId
  readonly size: number
  /** Bytes on the disk. */
  readonly packed: number
  /** When it was put aside, in ms; null when it is kept. */
  readonly aside: number | null
}

export function listContents(store: Store): KeptContent[] {
  return all(
    store.database,
    'select id, size, length(bytes) as packed, aside from content order by id',
  ).map((row) => toKept(store, row))
}

/** One of them; null when it is not in the store, not even aside. */
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

/** It can still be found and read out, until it is dropped. */
export function putAside(store: Store, id: ContentId, at: number): void {
  write(store, () => run(store.database, 'update content set aside = ? where id = ?', at, id))
}

export function takeBack(store: Store, id: ContentId): void {
  write(store, () => run(store.database, 'update content set aside = null where id = ?', id))
}

/** For good. Files of large ones go with `sweepLarge`, after the commit. */
export function dropContent(store: Store, id: ContentId): void {
  write(store, () => run(store.database, 'delete from content where id = ?', id))
}

/** By their names: a flipped bit in the name of one must be damage, and not a value that is missing. */
const PACKED = 'size, sha256, encoding, crc, bytes'

export type ContentProblem = { readonly id: string; readonly problem: 'damaged' | 'missing' }

/** Every content that is damaged or gone. Without `readData` only files are looked for. */
export function checkContents(store: Store, { readData }: { readData: boolean }): ContentProblem[] {
  const columns = readData ? PACKED : 'id, bytes is null as large'
  const problems: ContentProblem[] = []
  // One row at a time: all contents at once would not fit into memory.
  for (const { id: name } of all(store.database, 'select id from content order by id')) {
    const id = String(name)
    const row = one(store.database, `select ${columns} from content where id = ?`, id)
    if (row === undefined) continue
    if ((readData ? row['bytes'] === null : row['large'] === 1) && !isLargeThere(store, id)) {
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

/** Removes files of large contents that no row names: their writer died before the commit. */
export function sweepLarge(store: Store): number {
  const directory = `${store.directory}/${LARGE_DIRECTORY}`
  if (store.disk.stat(nameBytes(directory)) === null) return 0
  // In a transaction: a file that another process wrote a moment ago has its row then.
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

/** Packed only when that saves something: images and archives do not shrink. */
function pack(bytes: Buffer): { encoding: 'raw' | 'zstd'; packed: Buffer } {
  if (bytes.length < WORTH_COMPRESSING) return { encoding: 'raw', packed: bytes }
  const packed = zstdCompressSync(bytes, { pledgedSrcSize: bytes.length })
  return packed.length < bytes.length
    ? { encoding: 'zstd', packed }
    : { encoding: 'raw', packed: bytes }
}

function packedBytes(store: Store, id: string, row: Row): Buffer | null {
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
      // The size is a limit too: damaged bytes must not unpack into all of the memory.
      bytes = zstdDecompressSync(packed, { maxOutputLength: Math.max(size, 1) })
    } catch {
      return null
    }
  }
  return bytes.length === size && blobId(bytes) === id ? bytes : null
}

/** Looked at, not read: a check without data must be quick. */
function isLargeThere(store: Store, id: string): boolean {
  return store.disk.stat(nameBytes(`${store.directory}/${LARGE_DIRECTORY}/${id}`)) !== null
}

function largeSize(store: Store, id: string): number {
  return store.disk.stat(nameBytes(`${store.directory}/${LARGE_DIRECTORY}/${id}`))?.size ?? 0
}

function largeDirectory(store: Store): string {
  return makePrivateDirectory(store.disk, store.directory, [LARGE_DIRECTORY])
}
