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
  // Lists of plain numbers that grow with each file: an object for each of 50,000 lines, or a map
  // of hashes, costs more than the hashing.
  const texts: Uint8Array[] = []
  let count = 0
  let textOf = new Uint32Array(0)
  let starts = new Uint32Array(0)
  let ends = new Uint32Array(0)
  let hashes = new Int32Array(0)
  /** The line that followed this one where it was first seen; -1 when none did. */
  let followers = new Int32Array(0)
  /** Numbers of lines by their hash, each in the next free place; -1 is free. */
  let table = new Int32Array(0)

  function makeRoom(lines: number): void {
    const room = count + lines
    if (room <= starts.length) return
    textOf = grown(textOf, new Uint32Array(room))
    starts = grown(starts, new Uint32Array(room))
    ends = grown(ends, new Uint32Array(room))
    hashes = grown(hashes, new Int32Array(room))
    followers = grown(followers, new Int32Array(room).fill(-1))
    table = new Int32Array(2 ** Math.ceil(Math.log2(room * 2))).fill(-1)
    for (let id = 0; id < count; id++) {
      let place = hashes[id]! & (table.length - 1)
      while (table[place] !== -1) place = (place + 1) & (table.length - 1)
      table[place] = id
    }
  }

  function isLine(id: number, bytes: Uint8Array, from: number, to: number): boolean {
    const known = texts[textOf[id]!]!
    const shift = starts[id]! - from
    if (ends[id]! - shift !== to) return false
    for (let at = from; at < to; at++) if (known[at + shift] !== bytes[at]) return false
    return true
  }

  function numberOf(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashBytes(bytes, from, to)
    let place = hash & (table.length - 1)
    for (let id = table[place]!; id !== -1; id = table[place]!) {
      if (hashes[id] === hash && isLine(id, bytes, from, to)) return id
      place = (place + 1) & (table.length - 1)
    }
    table[place] = count
    textOf[count] = texts.length - 1
    starts[count] = from
    ends[count] = to
    hashes[count] = hash
    return count++
  }

  return {
    number(lines) {
      const numbers: number[] = []
      makeRoom(lines.starts.length)
      texts.push(lines.bytes)
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
    size: () => count,
  }
}

function grown<T extends Uint32Array | Int32Array>(old: T, larger: T): T {
  larger.set(old)
  return larger
}

/** FNV-1a. Collisions cost time, never a wrong answer: the bytes are compared. */
function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return hash
}
