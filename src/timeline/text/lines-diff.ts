import { diffArrays, type ChangeObject } from 'diff'
import type { Range } from './lines.ts'

/** Lines `a` of the old side were replaced by lines `b` of the new one. Either may be empty. */
export interface Hunk {
  readonly a: Range
  readonly b: Range
}

// The budget counts steps, not milliseconds. With a clock, a busy machine could make the plan and
// its application differ, and Retake would write something it did not show. 800 edits take about 50
// ms. The second limit is for long files with repeated lines.
const MAX_EDITS = 800
const MAX_COMPARED = 1e8

/**
 * The hunks that turn one list of line numbers into the other, in order. If the budget runs out,
 * everything between the common start and end counts as changed. That may cause an unnecessary
 * conflict, but never a wrong merge.
 */
export function diffLines(a: ArrayLike<number>, b: ArrayLike<number>): Hunk[] {
  const { head, tail } = commonEnds(a, b)
  const whole: Hunk = {
    a: { from: head, to: a.length - tail },
    b: { from: head, to: b.length - tail },
  }
  if (isEmpty(whole.a) && isEmpty(whole.b)) return []
  if (isEmpty(whole.a) || isEmpty(whole.b)) return [whole]

  const keptA = sharedLines(a, whole.a, b, whole.b)
  const keptB = sharedLines(b, whole.b, a, whole.a)
  const changes = compare(linesAt(a, keptA), linesAt(b, keptB))
  return changes === undefined ? [whole] : hunksBetween(whole, { keptA, keptB, changes })
}

/** The lengths of the common start and of the common end of the rest. */
function commonEnds(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
): { readonly head: number; readonly tail: number } {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head++
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  return { head, tail }
}

function isEmpty(range: Range): boolean {
  return range.from === range.to
}

/**
 * Drops lines that the other side does not have, because no common subsequence contains them.
 * Otherwise 20,000 rewritten lines would be 40,000 edits for the differ.
 */
function sharedLines(
  lines: ArrayLike<number>,
  range: Range,
  others: ArrayLike<number>,
  otherRange: Range,
): Int32Array {
  // Line numbers are small and dense, so an array of flags is ten times faster than a set.
  let highest = 0
  for (let index = otherRange.from; index < otherRange.to; index++)
    if (others[index]! > highest) highest = others[index]!
  const there = new Uint8Array(highest + 1)
  for (let index = otherRange.from; index < otherRange.to; index++) there[others[index]!] = 1
  const kept = new Int32Array(range.to - range.from)
  let count = 0
  for (let index = range.from; index < range.to; index++) {
    const line = lines[index]!
    if (line <= highest && there[line] === 1) kept[count++] = index
  }
  return kept.subarray(0, count)
}

function linesAt(lines: ArrayLike<number>, indexes: Int32Array): Int32Array {
  const found = new Int32Array(indexes.length)
  for (let n = 0; n < indexes.length; n++) found[n] = lines[indexes[n]!]!
  return found
}

type Changes = readonly Pick<ChangeObject<unknown>, 'added' | 'removed' | 'count'>[]

/**
 * Runs of lines that both sides have, or only one. Undefined if the budget ran out. Skips the
 * common start and end first: where lines were only changed, nothing else is left.
 */
function compare(a: Int32Array, b: Int32Array): Changes | undefined {
  const { head, tail } = commonEnds(a, b)
  const innerA = [...a.subarray(head, a.length - tail)]
  const innerB = [...b.subarray(head, b.length - tail)]
  const maxEditLength = Math.max(
    64,
    Math.min(MAX_EDITS, Math.floor(MAX_COMPARED / (innerA.length + innerB.length + 1))),
  )
  const inner = diffArrays(innerA, innerB, { maxEditLength })
  return inner && [commonRun(head), ...inner, commonRun(tail)]
}

function commonRun(count: number): Changes[number] {
  return { added: false, removed: false, count }
}

/** The hunks between common lines, with positions in the whole lists. */
function hunksBetween(
  whole: Hunk,
  { keptA, keptB, changes }: { keptA: Int32Array; keptB: Int32Array; changes: Changes },
): Hunk[] {
  const hunks: Hunk[] = []
  let a = whole.a.from
  let b = whole.b.from
  const add = (toA: number, toB: number): void => {
    if (a < toA || b < toB) hunks.push({ a: { from: a, to: toA }, b: { from: b, to: toB } })
    a = toA + 1
    b = toB + 1
  }
  let i = 0
  let j = 0
  for (const { added, removed, count } of changes) {
    if (removed) i += count
    else if (added) j += count
    else for (const end = i + count; i < end; i++, j++) add(keptA[i]!, keptB[j]!)
  }
  add(whole.a.to, whole.b.to)
  return hunks
}
