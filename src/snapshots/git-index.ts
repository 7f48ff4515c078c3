import { createHash } from 'node:crypto'
import type { ScanStat } from '#disk'

/** Git's index: for each file the place of its entry. Taken apart, all of them would be garbage. */
export interface GitIndex {
  readonly bytes: Buffer
  /** By directory and name, one character per byte. */
  readonly places: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const FIXED = 62
const REGULAR = 0o100000
const VALID_OR_STAGE = 0xb000
const EXTENDED = 0x4000

/**
 * Reads an index of version 2, 3 or 4, as bytes: git is not asked, nothing is locked. Only entries
 * that can stand in for a file are given: no conflicts, links or submodules, and none that git was
 * told not to look at (assume-unchanged, skip-worktree, intent-to-add). Null when it is damaged, of
 * another version, or has ids that are not SHA-1.
 */
export function readIndex(bytes: Buffer): GitIndex | null {
  if (bytes.length < 32 || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4 || !isWhole(bytes)) return null
  const places = new Map<string, Map<string, number>>()
  const end = bytes.length - 20
  let at = 12
  let path = ''
  // Entries are sorted: those of one directory mostly come one after the other.
  let directory = ''
  let inDirectory: Map<string, number> | undefined
  for (let count = bytes.readUInt32BE(8); count > 0; count -= 1) {
    if (at + FIXED > end) return null
    const flags = bytes.readUInt16BE(at + 60)
    const isExtended = (flags & EXTENDED) !== 0
    let name = at + FIXED + (isExtended ? 2 : 0)
    if (version === 4) {
      const { value, next } = readOffset(bytes, name)
      const nul = bytes.indexOf(0, next)
      if (value > path.length || nul < 0 || nul >= end) return null
      path = path.slice(0, path.length - value) + bytes.toString('latin1', next, nul)
      name = nul + 1
    } else {
      const nul = bytes.indexOf(0, name)
      if (nul < 0 || nul >= end) return null
      path = bytes.toString('latin1', name, nul)
      // Entries are padded with NULs to a multiple of eight.
      name = at + ((nul - at + 8) & ~7)
    }
    const mode = bytes.readUInt32BE(at + 24)
    if ((mode & 0o170000) === REGULAR && (flags & VALID_OR_STAGE) === 0 && !isExtended) {
      const slash = path.lastIndexOf('/')
      if (inDirectory === undefined || !isIn(path, slash, directory)) {
        directory = slash < 0 ? '' : path.slice(0, slash)
        inDirectory = places.get(directory) ?? new Map<string, number>()
        places.set(directory, inDirectory)
      }
      inDirectory.set(path.slice(slash + 1), at)
    }
    at = name
  }
  return hasUnknownExtension(bytes, at, end) ? null : { bytes, places }
}

/** Whether a path, whose last slash is known, lies in a directory. */
export function isIn(path: string, slash: number, directory: string): boolean {
  return Math.max(slash, 0) === directory.length && path.startsWith(directory)
}

/** Where the id of an entry lies. */
export const ID_AT = 40

export function indexedId({ bytes }: GitIndex, place: number): string {
  return bytes.toString('hex', place + ID_AT, place + ID_AT + 20)
}

/** Whether a file is, as far as its stat can tell, what git last saw. */
export function isAsIndexed({ bytes }: GitIndex, place: number, stat: ScanStat): boolean {
  return (
    isTime(bytes, place + 8, stat.mtimeNs) &&
    isTime(bytes, place, stat.ctimeNs) &&
    // Git cuts them to 32 bits.
    bytes.readUInt32BE(place + 20) === lowBits(stat.ino) &&
    bytes.readUInt32BE(place + 36) === lowBits(stat.size) &&
    (bytes.readUInt32BE(place + 24) & 0o100) === (Number(stat.mode) & 0o100)
  )
}

function isTime(bytes: Buffer, at: number, time: bigint): boolean {
  const seconds = bytes.readUInt32BE(at)
  const rest = bytes.readUInt32BE(at + 4)
  // The lower half exactly, and the whole as nearly as a number can: together that is exact, and
  // no number of any length has to be made for each of a hundred thousand files.
  const isNear = Math.abs(Number(time) - (seconds * 1e9 + rest)) < 2 ** 31
  return isNear && lowBits(time) === (Math.imul(seconds, 1e9) + rest) >>> 0
}

const whole = new BigInt64Array(1)
const halves = new DataView(whole.buffer)
const LOW = new Uint8Array(new BigInt64Array([1n]).buffer)[0] === 1 ? 0 : 4

function lowBits(value: bigint): number {
  whole[0] = value
  return halves.getUint32(LOW, LOW === 0)
}

/** The last 20 bytes are the SHA-1 of the rest, or zeros where git was told not to hash. */
function isWhole(bytes: Buffer): boolean {
  const sum = bytes.subarray(-20)
  if (sum.every((byte) => byte === 0)) return true
  return createHash('sha1').update(bytes.subarray(0, -20)).digest().equals(sum)
}

/** An extension with a small first letter changes what the entries mean, as a split index does. */
function hasUnknownExtension(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at + 8 <= end; at += 8 + bytes.readUInt32BE(at + 4))
    if (bytes[at]! >= 0x61) return true
  return false
}

/** A number of variable length, as git writes offsets. */
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
