import { createHash } from 'node:crypto'
import type { ScanStat } from '#disk'

/**
 * Git's index as bytes, with the offset of each entry. Decoding a hundred thousand entries into
 * objects would burden the garbage collector, and most are only compared as bytes.
 */
export interface GitIndex {
  readonly bytes: Buffer
  /** Keyed by directory, one character per byte. Values are entry numbers, sorted by name. */
  readonly directories: ReadonlyMap<string, readonly number[]>
  /** By entry number: the offset of the entry, and the range of the file's name in `names`. */
  readonly places: Uint32Array
  readonly nameStarts: Uint32Array
  readonly nameEnds: Uint32Array
  readonly names: Buffer
}

const FIXED = 62
const REGULAR = 0o100000
const VALID_OR_STAGE = 0xb000
const EXTENDED = 0x4000

/**
 * Reads an index of version 2, 3 or 4 from its bytes, without git and without a lock. Keeps only
 * entries that can stand in for a file: no conflicts, symlinks or submodules, and none that git
 * skips (assume-unchanged, skip-worktree, intent-to-add). Null if the index is damaged, of another
 * version, or uses ids other than SHA-1.
 */
export function readIndex(bytes: Buffer): GitIndex | null {
  if (bytes.length < 32 || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4 || !isWhole(bytes)) return null
  const end = bytes.length - 20
  const count = bytes.readUInt32BE(8)
  if (count * FIXED > end) return null
  const directories = new Map<string, number[]>()
  const places = new Uint32Array(count)
  const nameStarts = new Uint32Array(count)
  const nameEnds = new Uint32Array(count)
  const paths = version === 4 ? expandedPaths(bytes) : plainPaths(bytes)
  let at = 12
  // Entries are sorted, so those of one directory mostly follow each other.
  let inDirectory: number[] | undefined
  let directoryAt = 0
  let directoryLength = -1
  for (let n = 0; n < count; n += 1) {
    if (at + FIXED > end) return null
    const flags = (bytes[at + 60]! << 8) | bytes[at + 61]!
    const isExtended = (flags & EXTENDED) !== 0
    const next = paths.read(at, at + FIXED + (isExtended ? 2 : 0), flags & 0xfff)
    if (next < 0 || next > end) return null
    // The file type is in the upper bits of the third byte of the four-byte mode.
    const isRegular = (bytes[at + 26]! & 0xf0) << 8 === REGULAR
    if (isRegular && (flags & VALID_OR_STAGE) === 0 && !isExtended) {
      const { names } = paths
      let slash = paths.end - 1
      while (slash >= paths.start && names[slash] !== SLASH) slash -= 1
      const length = Math.max(slash - paths.start, 0)
      if (length !== directoryLength || !isSameText(names, directoryAt, paths.start, length)) {
        const directory = names.toString('latin1', paths.start, paths.start + length)
        inDirectory = directories.get(directory)
        if (inDirectory === undefined) directories.set(directory, (inDirectory = []))
        directoryLength = length
      }
      directoryAt = paths.start
      inDirectory!.push(n)
      places[n] = at
      nameStarts[n] = slash + 1
      nameEnds[n] = paths.end
    }
    at = next
  }
  if (hasUnknownExtension(bytes, at, end)) return null
  return { bytes, directories, places, nameStarts, nameEnds, names: paths.names }
}

/**
 * Reads the paths of consecutive entries: the range of each path, and the offset of the next entry.
 */
export interface Paths {
  names: Buffer
  start: number
  end: number
  /** The offset of the next entry; negative if the path is damaged. */
  read(entry: number, at: number, length: number): number
}

const LONG_NAME = 0xfff
const SLASH = 0x2f

export function plainPaths(bytes: Buffer): Paths {
  return {
    names: bytes,
    start: 0,
    end: 0,
    read(entry, at, length) {
      const isShort = length < LONG_NAME && bytes[at + length] === 0
      const nul = isShort ? at + length : bytes.indexOf(0, at)
      if (nul < 0) return -1
      this.start = at
      this.end = nul
      // Entries are padded with NULs to a multiple of eight.
      return entry + ((nul - entry + 8) & ~7)
    },
  }
}

/** In version 4, each path shares a prefix with the one before it. This writes them out in full. */
export function expandedPaths(bytes: Buffer): Paths {
  return {
    names: Buffer.alloc(bytes.length * 2),
    start: 0,
    end: 0,
    read(_entry, at) {
      const { value, next } = readOffset(bytes, at)
      const nul = bytes.indexOf(0, next)
      const kept = this.end - this.start - value
      if (kept < 0 || nul < 0) return -1
      const start = this.end
      const end = start + kept + nul - next
      if (end > this.names.length) {
        const larger = Buffer.alloc(end * 2)
        this.names.copy(larger, 0, 0, start)
        this.names = larger
      }
      this.names.copy(this.names, start, this.start, this.start + kept)
      bytes.copy(this.names, start + kept, next, nul)
      this.start = start
      this.end = end
      return nul + 1
    },
  }
}

/** Whether two ranges of the same length hold the same bytes. */
export function isSameText(bytes: Buffer, a: number, b: number, length: number): boolean {
  for (let n = 0; n < length; n += 1) if (bytes[a + n] !== bytes[b + n]) return false
  return true
}

/** The offsets of a directory's entries by file name, one character per byte. */
export function placesIn(index: GitIndex, directory: string): Map<string, number> {
  const { names, nameStarts, nameEnds, places } = index
  const found = new Map<string, number>()
  for (const n of index.directories.get(directory) ?? [])
    found.set(names.toString('latin1', nameStarts[n], nameEnds[n]), places[n]!)
  return found
}

/** Whether a path, given its last slash, is directly in a directory. */
export function isIn(path: string, slash: number, directory: string): boolean {
  return Math.max(slash, 0) === directory.length && path.startsWith(directory)
}

/** For a repository whose index is missing or unreadable. */
export const NO_INDEX: GitIndex = {
  bytes: Buffer.alloc(0),
  directories: new Map(),
  places: new Uint32Array(),
  nameStarts: new Uint32Array(),
  nameEnds: new Uint32Array(),
  names: Buffer.alloc(0),
}

/** The offset of the object id inside an entry. */
export const ID_AT = 40

export function indexedId({ bytes }: GitIndex, place: number): string {
  return bytes.toString('hex', place + ID_AT, place + ID_AT + 20)
}

/** Whether a file's stat matches the one that git recorded. */
export function isAsIndexed({ bytes }: GitIndex, place: number, stat: ScanStat): boolean {
  return (
    isTime(bytes, place + 8, stat.mtimeNs) &&
    isTime(bytes, place, stat.ctimeNs) &&
    // Git truncates these to 32 bits.
    bytes.readUInt32BE(place + 20) === lowBits(stat.ino) &&
    bytes.readUInt32BE(place + 36) === lowBits(stat.size) &&
    (bytes.readUInt32BE(place + 24) & 0o100) === (Number(stat.mode) & 0o100)
  )
}

function isTime(bytes: Buffer, at: number, time: bigint): boolean {
  const seconds = bytes.readUInt32BE(at)
  return isSameTime(seconds, bytes.readUInt32BE(at + 4), Number(time), lowBits(time))
}

/**
 * Whether git's seconds and nanoseconds equal a time in ns. `time` is its nearest double and `low`
 * its exact lower 32 bits; together they are exact. This avoids a BigInt for each of a hundred
 * thousand files.
 */
export function isSameTime(seconds: number, rest: number, time: number, low: number): boolean {
  const isNear = Math.abs(time - (seconds * 1e9 + rest)) < 2 ** 31
  return isNear && low === (Math.imul(seconds, 1e9) + rest) >>> 0
}

const whole = new BigInt64Array(1)
const halves = new DataView(whole.buffer)
const LOW = new Uint8Array(new BigInt64Array([1n]).buffer)[0] === 1 ? 0 : 4

function lowBits(value: bigint): number {
  whole[0] = value
  return halves.getUint32(LOW, LOW === 0)
}

/** The last 20 bytes are the SHA-1 of the rest, or zeros if git is configured not to hash. */
function isWhole(bytes: Buffer): boolean {
  const sum = bytes.subarray(-20)
  if (sum.every((byte) => byte === 0)) return true
  return createHash('sha1').update(bytes.subarray(0, -20)).digest().equals(sum)
}

/** An extension with a lowercase first letter changes what entries mean, as a split index does. */
function hasUnknownExtension(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at + 8 <= end; at += 8 + bytes.readUInt32BE(at + 4))
    if (bytes[at]! >= 0x61) return true
  return false
}

/** Git's variable-length encoding of offsets. */
export function readOffset(bytes: Buffer, start: number): { value: number; next: number } {
  let at = start
  let byte = bytes[at] ?? 0
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    at += 1
    byte = bytes[at] ?? 0
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, next: at + 1 }
}
