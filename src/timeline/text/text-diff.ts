import { sameValue, type Contents, type Value } from '../data/index.ts'
import { diffLines, type Hunk } from './lines-diff.ts'
import { makeInterner } from './lines-intern.ts'
import { isBinary, lineEnd, splitLines, type Lines } from './lines.ts'

export interface LineCounts {
  readonly added: number
  readonly removed: number
  readonly linesNow: number
  readonly linesAfter: number
  /** One of the two is not text, so no lines are counted. */
  readonly binary: boolean
}

export interface DiffLine {
  readonly change: 'same' | 'added' | 'removed'
  readonly text: string
  /** The last line of a file that has no final newline. */
  readonly unfinished: boolean
}

/** A difference of two texts, with the lines around it. Numbers count from 1. */
export interface DiffHunk {
  readonly oldFrom: number
  readonly oldCount: number
  readonly newFrom: number
  readonly newCount: number
  readonly lines: readonly DiffLine[]
}

export type ValueDiff =
  | { readonly kind: 'same' }
  /** Without hunks, the mode or the byte order mark differs. */
  | { readonly kind: 'text'; readonly hunks: readonly DiffHunk[] }
  | { readonly kind: 'not-text' }

interface Pair {
  readonly old: Lines
  readonly new: Lines
  readonly hunks: readonly Hunk[]
}

/** Counts the lines that differ between two values. */
export function countLines(contents: Contents, from: Value, to: Value): LineCounts {
  const old = bytesOf(contents, from)
  const now = bytesOf(contents, to)
  if (old === undefined || now === undefined)
    return { added: 0, removed: 0, linesNow: 0, linesAfter: 0, binary: true }
  if (sameValue(from, to)) {
    const lines = splitLines(old).starts.length
    return { added: 0, removed: 0, linesNow: lines, linesAfter: lines, binary: false }
  }
  const pair = compareBytes(old, now)
  const sum = (side: 'a' | 'b') =>
    pair.hunks.reduce((total, hunk) => total + hunk[side].to - hunk[side].from, 0)
  return {
    added: sum('b'),
    removed: sum('a'),
    linesNow: pair.old.starts.length,
    linesAfter: pair.new.starts.length,
    binary: false,
  }
}

/**
 * The difference of two values, for display. With `links`, a symlink becomes a line with its
 * target. Without, it counts as not text, so that this line is not mistaken for file content.
 */
export function diffValues(
  contents: Contents,
  from: Value,
  to: Value,
  { context = 3, links = false }: { context?: number; links?: boolean } = {},
): ValueDiff {
  const shown = (value: Value): Uint8Array | undefined =>
    links && value.kind === 'symlink'
      ? encoder.encode(`-> ${value.target}`)
      : bytesOf(contents, value)
  const old = shown(from)
  const now = shown(to)
  if (old === undefined || now === undefined) return { kind: 'not-text' }
  if (sameValue(from, to)) return { kind: 'same' }
  const pair = compareBytes(old, now)
  return {
    kind: 'text',
    hunks: groupHunks(pair, context).map((group) => showHunks(pair, group, context)),
  }
}

/** The difference of two texts, for display. */
export function diffTexts(from: string, to: string, context = 3): DiffHunk[] {
  const pair = compareBytes(encoder.encode(from), encoder.encode(to))
  return groupHunks(pair, context).map((group) => showHunks(pair, group, context))
}

function bytesOf(contents: Contents, value: Value): Uint8Array | undefined {
  if (value.kind === 'absent') return new Uint8Array()
  if (value.kind !== 'file' || !contents.has(value.content)) return undefined
  const bytes = contents.bytes(value.content)
  return isBinary(bytes) ? undefined : bytes
}

function compareBytes(old: Uint8Array, now: Uint8Array): Pair {
  // Compare whole lines: users must see a changed line end or a lost final newline.
  const interner = makeInterner('whole')
  const before = interner.read(old)
  const after = interner.read(now)
  return { old: before.lines, new: after.lines, hunks: diffLines(before.numbers, after.numbers) }
}

function groupHunks({ hunks }: Pair, context: number): Hunk[][] {
  const groups: Hunk[][] = []
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && hunk.a.from - last.a.to <= 2 * context) groups.at(-1)!.push(hunk)
    else groups.push([hunk])
  }
  return groups
}

function showHunks(pair: Pair, group: readonly Hunk[], context: number): DiffHunk {
  const first = group[0]!
  const last = group.at(-1)!
  const before = Math.min(context, first.a.from)
  const after = Math.min(context, pair.old.starts.length - last.a.to)
  const lines: DiffLine[] = []
  function show(from: Lines, range: { from: number; to: number }, change: DiffLine['change']) {
    for (let index = range.from; index < range.to; index++)
      lines.push({ change, ...showLine(from, index) })
  }
  let at = first.a.from - before
  for (const hunk of group) {
    show(pair.old, { from: at, to: hunk.a.from }, 'same')
    show(pair.old, hunk.a, 'removed')
    show(pair.new, hunk.b, 'added')
    at = hunk.a.to
  }
  show(pair.old, { from: at, to: last.a.to + after }, 'same')
  const oldCount = last.a.to + after - (first.a.from - before)
  const newCount = last.b.to + after - (first.b.from - before)
  // As in a patch, an empty side has the number of the line before it.
  return {
    oldFrom: first.a.from - before + (oldCount === 0 ? 0 : 1),
    oldCount,
    newFrom: first.b.from - before + (newCount === 0 ? 0 : 1),
    newCount,
    lines,
  }
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

function showLine(lines: Lines, index: number): Pick<DiffLine, 'text' | 'unfinished'> {
  const from = lines.starts[index]!
  const to = lineEnd(lines, index, 'with-cr')
  // For display only: invalid UTF-8 becomes a replacement character.
  const text = decoder.decode(lines.bytes.subarray(from, to))
  return { text, unfinished: to === lines.bytes.length }
}
