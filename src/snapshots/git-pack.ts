import { inflateSync } from 'node:zlib'
import { readRanges, readSmallFile, type FileRanges } from '#disk'
import { readOffset } from './git-index.ts'

export interface PackedObject {
  readonly kind: string
  readonly body: Buffer
}

/** One pack file with its index. */
export interface Pack extends Disposable {
  /** Whether the pack holds the object whose id is in these bytes at `at`. */
  has(bytes: Buffer, at: number): boolean
  /** `elsewhere` finds a delta base that is in another pack. */
  read(id: string, elsewhere: (id: string) => PackedObject | null): PackedObject | null
}

const KINDS: readonly (string | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag']
const OFFSET_DELTA = 6
const NAMED_DELTA = 7
const FAN = 8
const IDS = FAN + 256 * 4
const MAX_INDEX_BYTES = 1024 * 1024 * 1024
const MAX_OBJECT_BYTES = 1024 * 1024 * 1024
// Git limits delta chains to 4095; a longer one is an attempt to exhaust memory.
const MAX_CHAIN = 4096

/** Opens `<path>.pack` with an index of version 2; null if either cannot be used. */
export function openPack(path: string): Pack | null {
  const index = readSmallFile(`${path}.idx`, MAX_INDEX_BYTES)
  if (index === null || index.length < IDS + 40) return null
  if (index.readUInt32BE(0) !== 0xff74_4f63 || index.readUInt32BE(4) !== 2) return null
  const count = index.readUInt32BE(IDS - 4)
  // Ids, checksums and offsets: 28 bytes per object, then long offsets and two checksums.
  if (index.length < IDS + count * 28 + 40) return null
  const view = new DataView(index.buffer, index.byteOffset, index.length)
  let file: FileRanges | null = null

  const find = (bytes: Buffer, wanted: number): number => {
    const first = bytes[wanted]!
    // Comparing the first four bytes as a number is several times faster, and mostly decides.
    const start = bytes.readUInt32BE(wanted)
    let low = first === 0 ? 0 : view.getUint32(FAN + (first - 1) * 4)
    let high = Math.min(view.getUint32(FAN + first * 4), count)
    // Ids are evenly distributed, so interpolate a first guess.
    let middle = low + Math.floor(((start & 0xff_ffff) / 0x100_0000) * (high - low))
    let reach = 8
    while (low < high) {
      const at = IDS + middle * 20
      const order = start - view.getUint32(at) || compareIds(bytes, wanted, index, at)
      if (order === 0) return middle
      if (order < 0) high = middle
      else low = middle + 1
      // Gallop from the guess, then bisect once the range is small.
      if (high - low <= reach * 2) middle = (low + high) >>> 1
      else middle = order < 0 ? high - reach : low + reach
      reach *= 2
    }
    return -1
  }
  const offsetOf = (id: string): number | null => {
    const found = find(Buffer.from(id, 'hex'), 0)
    return found === -1 ? null : offsetAt(index, count, found)
  }

  const readAt = (
    pack: FileRanges,
    offset: number,
    elsewhere: (id: string) => PackedObject | null,
  ): PackedObject | null => {
    // Follow the delta chain down to its base, then apply the deltas in reverse.
    const deltas: Buffer[] = []
    let at = offset
    for (let depth = 0; depth < MAX_CHAIN; depth += 1) {
      const head = pack.read(at, 64)
      if (head.length < 2) return null
      let byte = head[0]!
      const kind = (byte >> 4) & 7
      let size = byte & 15
      let next = 1
      for (let shift = 16; (byte & 0x80) !== 0; shift *= 128) {
        byte = head[next] ?? 0
        size += (byte & 0x7f) * shift
        next += 1
      }
      if (size > MAX_OBJECT_BYTES) return null
      let base: PackedObject | number | null = null
      if (kind === OFFSET_DELTA) {
        const back = readOffset(head, next)
        next = back.next
        base = at - back.value
        if (back.value <= 0 || base < 12) return null
      } else if (kind === NAMED_DELTA) {
        const id = head.toString('hex', next, next + 20)
        next += 20
        base = offsetOf(id) ?? elsewhere(id)
        if (base === null) return null
      }
      const body = inflateAt(pack, at + next, size)
      if (body === null) return null
      if (base === null) {
        const name = KINDS[kind]
        return name === undefined ? null : applyAll({ kind: name, body }, deltas)
      }
      deltas.push(body)
      if (typeof base !== 'number') return applyAll(base, deltas)
      at = base
    }
    return null
  }
  return {
    has: (bytes, at) => find(bytes, at) !== -1,
    read(id, elsewhere) {
      const offset = offsetOf(id)
      if (offset === null) return null
      try {
        file ??= readRanges(`${path}.pack`)
        return readAt(file, offset, elsewhere)
      } catch {
        // The pack was removed by a repack, or is damaged.
        return null
      }
    },
    [Symbol.dispose]: () => file?.[Symbol.dispose](),
  }
}

function compareIds(a: Buffer, atA: number, b: Buffer, atB: number): number {
  for (let i = 4; i < 20; i += 1) if (a[atA + i] !== b[atB + i]) return a[atA + i]! - b[atB + i]!
  return 0
}

function offsetAt(index: Buffer, count: number, n: number): number | null {
  const short = index.readUInt32BE(IDS + count * 24 + n * 4)
  if (short < 0x8000_0000) return short
  const at = IDS + count * 28 + (short - 0x8000_0000) * 8
  return at + 8 <= index.length ? Number(index.readBigUInt64BE(at)) : null
}

/** The compressed length is not recorded; zlib ignores the bytes after the stream. */
function inflateAt(pack: FileRanges, offset: number, size: number): Buffer | null {
  const packed = pack.read(offset, size + (size >> 8) + 128)
  const body = inflateSync(packed, { maxOutputLength: Math.max(size, 1) })
  return body.length === size ? body : null
}

function applyAll(base: PackedObject, deltas: readonly Buffer[]): PackedObject | null {
  let body: Buffer | null = base.body
  for (const delta of deltas.toReversed()) if (body !== null) body = applyDelta(body, delta)
  return body === null ? null : { kind: base.kind, body }
}

/** Builds an object from pieces of its base and inserted bytes. */
function applyDelta(base: Buffer, delta: Buffer): Buffer | null {
  const from = readSize(delta, 0)
  const to = readSize(delta, from.next)
  if (from.value !== base.length || to.value > MAX_OBJECT_BYTES) return null
  const result = Buffer.alloc(to.value)
  let filled = 0
  let at = to.next
  while (at < delta.length) {
    const order = delta[at]!
    at += 1
    let piece: Buffer
    if ((order & 0x80) === 0) {
      piece = delta.subarray(at, at + order)
      if (order === 0 || piece.length !== order) return null
      at += order
    } else {
      let offset = 0
      let length = 0
      for (let n = 0; n < 4; n += 1) if ((order & (1 << n)) !== 0) offset += delta[at++]! * 256 ** n
      for (let n = 0; n < 3; n += 1)
        if ((order & (16 << n)) !== 0) length += delta[at++]! * 256 ** n
      if (length === 0) length = 0x10000
      piece = base.subarray(offset, offset + length)
      if (piece.length !== length) return null
    }
    if (filled + piece.length > result.length) return null
    piece.copy(result, filled)
    filled += piece.length
  }
  return filled === result.length ? result : null
}

function readSize(bytes: Buffer, start: number): { value: number; next: number } {
  let value = 0
  let at = start
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * factor
    at += 1
    if ((byte & 0x80) === 0) return { value, next: at }
  }
}
