import { constants, zstdDecompressSync } from 'node:zlib'
import { readRanges, type FileRanges } from '#disk'
import { Failure } from '#failure'

/** A larger rollout would not fit into memory beside everything else. */
const MAX_BYTES = 256 * 1024 * 1024
/** The first compressed bytes that a list reads of each file. */
const HEAD = 64 * 1024
const SUFFIX = '.zst'

/** Codex can compress old rollouts. It writes them out again when it continues the session. */
export function isCompressed(path: string): boolean {
  return path.endsWith(SUFFIX)
}

/** The path that a rollout has while it is not compressed. */
export function plainPath(path: string): string {
  return isCompressed(path) ? path.slice(0, -SUFFIX.length) : path
}

/** Turns are read one after the other. Weak, so that a server does not keep the memory. */
let newest: { readonly key: string; readonly bytes: WeakRef<Buffer> } | null = null

/** Opens a rollout for reading, as if it were not compressed. */
export function openRollout(path: string): FileRanges {
  if (!isCompressed(path)) return readRanges(path)
  using file = readRanges(path)
  const { inode, size, modified } = file.identity
  const key = `${path} ${inode} ${size} ${modified}`
  const known = newest?.key === key ? newest.bytes.deref() : undefined
  const bytes = known ?? decompress(file)
  newest = { key, bytes: new WeakRef(bytes) }
  return rangesOf(file, bytes)
}

/** Only the start of it, for lists of thousands. */
export function openRolloutHead(path: string): FileRanges {
  if (!isCompressed(path)) return readRanges(path)
  using file = readRanges(path)
  const head = file.read(0, HEAD)
  return rangesOf(file, decompressed(path, head, { finishFlush: constants.ZSTD_e_flush }))
}

function decompress(file: FileRanges): Buffer {
  if (file.size > MAX_BYTES) throw tooBig(file.path)
  return decompressed(file.path, file.read(0, file.size), {})
}

function decompressed(path: string, bytes: Buffer, how: { finishFlush?: number }): Buffer {
  try {
    return zstdDecompressSync(bytes, { ...how, maxOutputLength: MAX_BYTES })
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooBig(path)
    throw new Failure('not-readable', `The compressed session ${path} is damaged.`, {
      hint: 'Restore the file from a backup.',
      cause,
    })
  }
}

function rangesOf({ path, identity }: FileRanges, bytes: Buffer): FileRanges {
  return {
    path,
    identity: { ...identity, size: bytes.length },
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + Math.max(0, length)),
    readInto: (buffer, at, length, offset) => bytes.copy(buffer, at, offset, offset + length),
    [Symbol.dispose]() {},
  }
}

function tooBig(path: string): Failure {
  return new Failure('not-readable', `The compressed session ${path} is larger than 256 MB.`, {
    hint: 'Continue it in Codex with `codex resume`, which writes it out again.',
  })
}
