import { diffArrays, type ChangeObject } from 'diff'
import type { Range } from './lines.ts'

/** Lines `a` of the old side were replaced by lines `b` of the new one; one of the two can be empty. */
export interface Hunk {
  readonly a: Range
  readonly b: Range
}

// The budget counts steps and not milliseconds. With a clock, a plan and its application could
// differ because the machine was busy, and the apply would write what nobody was shown. 800
// edits are about 50 ms; the second bound holds for long files whose lines repeat.
const MAX_EDITS = 800
const MAX_COMPARED = 1e8

/**
 * The hunks that lead from one list of line numbers to the other, in order. Where the lists differ
 * too much to be compared within the budget, they count as changed whole between their common
 * beginning and end: that gives a conflict too many, and never a wrong merge.
 */
export function diffLines(a: ArrayLike<number>, b: ArrayLike<number>): Hunk[] {
  const { head, tail } = commonEnds(a, b)
  const whole: Hunk = {
    a: { from: head, to: a.length - tail },
    b: { from: head, to: b.length - tail },
  }
  if (isEmpty(whole.a) && isEmpty(whole.b)) return []
  if (isEmpty(whole.a) || isEmpty(whole.b)) return [whole]

  const keptA = linesAlsoIn(a, whole.a, b, whole.b)
  const keptB = linesAlsoIn(b, whole.b, a, whole.a)
  const changes = compare(linesAt(a, keptA), linesAt(b, keptB))
  return changes === undefined ? [whole] : hunksBetween(whole, { keptA, keptB, changes })
}

/** How many elements both begin with, and how many of the rest both end with. */
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
 * A line that the other side does not have at all is in no common subsequence. Without it, 20,000
 * rewritten lines are 40,000 edits that the differ would go through one by one.
 */
function linesAlsoIn(
  lines: ArrayLike<number>,
  range: Range,
  others: ArrayLike<number>,
  otherRange: Range,
): Int32Array {
  // Line numbers are small and dense: flags in an array are ten times faster than a set.
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
 * Runs of lines that both have, or that one has alone; undefined when the budget ran out. Where
 * lines were only changed, all that is left here is often the same on both sides.
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
  return inner && [bothHave(head), ...inner, bothHave(tail)]
}

function bothHave(count: number): Changes[number] {
  return { added: false, removed: false, count }
}

/** What lies between two lines that both have, in the whole lists. */
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
