import { lineEnd, type Compared, type Lines } from './lines.ts'

/**
 * Gives equal lines equal numbers, over all files given to one interner. Comparing numbers is what
 * makes a diff of 50,000 lines cheap, and working on bytes spares decoding them into strings.
 */
export interface Interner {
  number(lines: Lines): number[]
  /** How many different lines were seen: numbers run from 0 to size - 1. */
  size(): number
}

export function makeInterner(compared: Compared): Interner {
  // One list for each field: an object for each of 50,000 lines costs more than the hashing.
  const sources: Uint8Array[] = []
  const starts: number[] = []
  const ends: number[] = []
  const olderWithHash: number[] = []
  const newestByHash = new Map<number, number>()
  /** The line that followed this one where it was first seen. */
  const followers: number[] = []

  function isLine(id: number, bytes: Uint8Array, from: number, to: number): boolean {
    const known = sources[id]!
    const shift = starts[id]! - from
    if (ends[id]! - shift !== to) return false
    for (let at = from; at < to; at++) if (known[at + shift] !== bytes[at]) return false
    return true
  }

  function numberOf(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashBytes(bytes, from, to)
    const newest = newestByHash.get(hash) ?? -1
    for (let id = newest; id >= 0; id = olderWithHash[id]!)
      if (isLine(id, bytes, from, to)) return id
    newestByHash.set(hash, sources.length)
    sources.push(bytes)
    starts.push(from)
    ends.push(to)
    olderWithHash.push(newest)
    followers.push(-1)
    return sources.length - 1
  }

  return {
    number(lines) {
      const numbers: number[] = []
      let last = -1
      for (let index = 0; index < lines.starts.length; index++) {
        const from = lines.starts[index]!
        const to = lineEnd(lines, index, compared)
        // Versions of one file repeat each other: comparing with the line that came next last
        // time is cheaper than hashing, and is right nearly always.
        const guess = last < 0 ? -1 : followers[last]!
        const id =
          guess >= 0 && isLine(guess, lines.bytes, from, to)
            ? guess
            : numberOf(lines.bytes, from, to)
        if (last >= 0 && guess < 0) followers[last] = id
        numbers.push(id)
        last = id
      }
      return numbers
    },
    size: () => sources.length,
  }
}

/** FNV-1a. Collisions cost time, never a wrong answer: the bytes are compared. */
function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return hash
}
