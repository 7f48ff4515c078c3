import type { Contents, FileValue, Value } from '../data/index.ts'
import { diffLines, type Hunk } from './lines-diff.ts'
import { makeInterner } from './lines-intern.ts'
import { isBinary, lineEnd, type Lines, type Range } from './lines.ts'

/**
 * One difference between a file now and then, which can be restored alone. Its key is made of both
 * texts and the old position. So it stays the same while other lines change, and disappears once
 * its own lines do.
 */
export interface RestorablePart {
  readonly key: string
  /** Half-open, from 0: lines of the old file, and lines of the present one. */
  readonly old: Range
  readonly now: Range
}

interface Pair {
  readonly old: Lines
  readonly now: Lines
  readonly hunks: readonly Hunk[]
}

/** The differences between now and then, in order. Empty if one of the two is not text. */
export function findParts(contents: Contents, old: Value, now: Value): RestorablePart[] {
  const pair = pairOf(contents, old, now)
  if (pair === null) return []
  return pair.hunks.map((hunk) => ({ key: keyOf(contents, pair, hunk), old: hunk.a, now: hunk.b }))
}

/**
 * The present file with some parts restored. Null if one of them does not exist or has changed. All
 * parts give the old text, none the present text. Mode and byte order mark belong to no line, so
 * they stay.
 */
export function restoreParts(
  contents: Contents,
  { old, now }: { old: Value; now: Value },
  keys: ReadonlySet<string>,
): FileValue | null {
  const pair = pairOf(contents, old, now)
  if (pair === null || now.kind !== 'file') return null
  const taken = pair.hunks.filter((hunk) => keys.has(keyOf(contents, pair, hunk)))
  if (taken.length !== keys.size) return null
  const pieces: Uint8Array[] = []
  let at = 0
  const keepTo = (end: number): void => {
    pieces.push(pair.now.bytes.subarray(at, end))
    at = end
  }
  for (const { a, b } of taken) {
    keepTo(startOf(pair.now, b.from))
    pieces.push(bytesIn(pair.old, a))
    at = startOf(pair.now, b.to)
  }
  keepTo(pair.now.bytes.length)
  return { kind: 'file', content: contents.add(join(pieces)), mode: now.mode }
}

function pairOf(contents: Contents, old: Value, now: Value): Pair | null {
  if (old.kind !== 'file' || now.kind !== 'file') return null
  const [before, present] = [contents.bytes(old.content), contents.bytes(now.content)]
  if (isBinary(before) || isBinary(present)) return null
  // Compare whole lines: a changed line end or a lost final newline is a difference too.
  const interner = makeInterner('whole')
  const [a, b] = [interner.read(before), interner.read(present)]
  return { old: a.lines, now: b.lines, hunks: diffLines(a.numbers, b.numbers) }
}

/** The start of a line in the bytes. After the last line, their end. */
function startOf({ starts, bytes }: Lines, index: number): number {
  return index < starts.length ? starts[index]! : bytes.length
}

function bytesIn(lines: Lines, { from, to }: Range): Uint8Array {
  if (from === to) return new Uint8Array()
  return lines.bytes.subarray(lines.starts[from], lineEnd(lines, to - 1, 'whole'))
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** An id made of both sides' lines and the old position. */
function keyOf(contents: Contents, { old, now }: Pair, { a, b }: Hunk): string {
  const [was, is] = [contents.add(bytesIn(old, a)), contents.add(bytesIn(now, b))]
  return contents.add(new TextEncoder().encode(`${a.from} ${a.to} ${was} ${is}`))
}
