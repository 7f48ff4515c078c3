import { CR, LF, startOf, styleOf, type Compared, type Lines } from './lines.ts'

/**
 * Splits files into lines and gives equal lines equal numbers, across all files of one interner.
 * Comparing numbers makes a diff of 50,000 lines cheap, and working on bytes avoids decoding.
 */
export interface Interner {
  read(bytes: Uint8Array): Numbered
  /** The number of different lines so far. Line numbers run from 0 to size - 1. */
  size(): number
}

export interface Numbered {
  readonly lines: Lines
  readonly numbers: Int32Array
}

/** The bytes of a text, and a view that reads four at a time. */
interface Text {
  readonly bytes: Uint8Array
  readonly words: DataView
}

export function makeInterner(compared: Compared): Interner {
  // Typed arrays, because an object per line or a map of hashes costs more than the hashing itself.
  const texts: Text[] = []
  let count = 0
  let textOf = new Int32Array(64)
  let starts = new Int32Array(64)
  let ends = new Int32Array(64)
  let hashes = new Int32Array(64)
  /** The line that followed this one when it was first seen. -1 if none did. */
  let followers = new Int32Array(64).fill(-1)
  /** A hash table of line numbers with linear probing. -1 is free. */
  let table = new Int32Array(128).fill(-1)

  function growTables(): void {
    textOf = grown(textOf, 0)
    starts = grown(starts, 0)
    ends = grown(ends, 0)
    hashes = grown(hashes, 0)
    followers = grown(followers, -1)
    table = new Int32Array(table.length * 2).fill(-1)
    for (let id = 0; id < count; id++) {
      let place = hashes[id]! & (table.length - 1)
      while (table[place] !== -1) place = (place + 1) & (table.length - 1)
      table[place] = id
    }
  }

  /** If the known line is at this position, returns where its compared part ends, else -1. */
  function endIfMatches(id: number, text: Text, from: number): number {
    const known = texts[textOf[id]!]!
    const to = from + ends[id]! - starts[id]!
    if (to > text.bytes.length) return -1
    const shift = starts[id]! - from
    let at = from
    for (; at + 4 <= to; at += 4)
      if (known.words.getInt32(at + shift) !== text.words.getInt32(at)) return -1
    for (; at < to; at++) if (known.bytes[at + shift] !== text.bytes[at]) return -1
    return to
  }

  function numberOf(text: Text, from: number, to: number, hash: number): number {
    let place = hash & (table.length - 1)
    for (let id = table[place]!; id !== -1; id = table[place]!) {
      if (hashes[id] === hash && endIfMatches(id, text, from) === to) return id
      place = (place + 1) & (table.length - 1)
    }
    table[place] = count
    textOf[count] = texts.length - 1
    starts[count] = from
    ends[count] = to
    hashes[count] = hash
    if (++count === starts.length) growTables()
    return count - 1
  }

  return {
    read(bytes) {
      const text = { bytes, words: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
      texts.push(text)
      const length = bytes.length
      const likely = Math.max(64, length >> 5)
      let lineStarts = new Int32Array(likely)
      let lineEnds = new Int32Array(likely)
      let numbers = new Int32Array(likely)
      let line = 0
      let crlf = 0
      let terminated = 0
      let last = -1
      for (let from = startOf(bytes); from < length; line++) {
        // Versions of a file are similar: comparing with the line that followed last time is
        // cheaper than hashing, and it nearly always matches.
        const guess = last < 0 ? -1 : followers[last]!
        let end =
          guess < 0 ? -1 : lineEndAfter(bytes, from, endIfMatches(guess, text, from), compared)
        let id = guess
        if (end < 0) {
          // FNV-1a. A collision only costs time, because the bytes are compared too.
          let hash = 0x811c9dc5 | 0
          let before = hash
          for (end = from; end < length; end++) {
            const byte = bytes[end]!
            if (byte === LF) break
            before = hash
            hash = Math.imul(hash ^ byte, 0x01000193)
          }
          let to = end
          if (end < length && compared === 'whole') {
            to = end + 1
            hash = Math.imul(hash ^ LF, 0x01000193)
          } else if (compared === 'text' && endsInCr(bytes, from, end)) {
            to = end - 1
            hash = before
          }
          id = numberOf(text, from, to, hash)
          if (last >= 0 && guess < 0) followers[last] = id
        }
        if (line === numbers.length) {
          lineStarts = grown(lineStarts, 0)
          lineEnds = grown(lineEnds, 0)
          numbers = grown(numbers, 0)
        }
        lineStarts[line] = from
        lineEnds[line] = end
        numbers[line] = id
        if (end < length) {
          terminated++
          if (endsInCr(bytes, from, end)) crlf++
        }
        last = id
        from = end + 1
      }
      const cut = { starts: lineStarts.subarray(0, line), ends: lineEnds.subarray(0, line) }
      const lines = { bytes, ...cut, ...styleOf({ bytes, lines: line, terminated, crlf }) }
      return { lines, numbers: numbers.subarray(0, line) }
    },
    size: () => count,
  }
}

/** The end of the line whose compared part ends at `to`. -1 if it does not end there. */
function lineEndAfter(bytes: Uint8Array, from: number, to: number, compared: Compared): number {
  if (to < 0) return -1
  if (compared === 'whole') {
    // The part includes its LF, or is the last line without a newline.
    if (to > 0 && bytes[to - 1] === LF) return to - 1
    return to === bytes.length ? to : -1
  }
  if (to === bytes.length) return to
  // A CR before LF belongs to the line end. If the text itself ends in a CR, it is a different
  // line.
  if (bytes[to] === LF) return compared === 'text' && endsInCr(bytes, from, to) ? -1 : to
  return compared === 'text' && bytes[to] === CR && bytes[to + 1] === LF ? to + 1 : -1
}

/** Whether a CR precedes the LF at `end`. */
function endsInCr(bytes: Uint8Array, from: number, end: number): boolean {
  return end < bytes.length && end > from && bytes[end - 1] === CR
}

function grown(old: Int32Array<ArrayBuffer>, rest: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(old.length * 2)
  larger.set(old)
  return rest === 0 ? larger : larger.fill(rest, old.length)
}
