import { diffLines, type Hunk } from './lines-diff.ts'
import { makeInterner } from './lines-intern.ts'
import { hasMixedEnds, joinLines, type Lines, type Range, type Written } from './lines.ts'

/** Three versions of a text: the common base, the present text, and the wanted text. */
export interface Three<T> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
}

/**
 * Properties of the whole file that conflicted and stayed as they are in the present file (sem.M3).
 */
export type KeptMine = 'line-ends' | 'byte-order-mark' | 'final-newline' | 'mode'

export type TextMerge =
  | { readonly kind: 'merged'; readonly bytes: Uint8Array; readonly kept: readonly KeptMine[] }
  | {
      readonly kind: 'conflict'
      readonly reason: 'overlap' | 'too-close'
      readonly regions: readonly Three<Range>[]
    }

/** Lines changed by one side, by both sides equally (`both`), or by both sides differently. */
export interface Region extends Three<Range> {
  readonly change: 'ours' | 'theirs' | 'both' | 'overlap' | 'too-close'
}

export interface Alignment {
  readonly lines: Three<Lines>
  readonly regions: readonly Region[]
  readonly style: Written
  readonly kept: readonly KeptMine[]
}

export function mergeText(bytes: Three<Uint8Array>): TextMerge {
  const { lines, regions, style, kept } = alignTexts(bytes)
  const clashes = regions.filter(isClash)
  if (clashes.length > 0) {
    // `overlap` takes precedence over `too-close`.
    const reason = clashes.some((region) => region.change === 'overlap') ? 'overlap' : 'too-close'
    return { kind: 'conflict', reason, regions: clashes }
  }
  const pieces = []
  let at = 0
  for (const region of regions) {
    pieces.push({ source: lines.base, range: { from: at, to: region.base.from } })
    const side = region.change === 'theirs' ? 'theirs' : 'ours'
    pieces.push({ source: lines[side], range: region[side] })
    at = region.base.to
  }
  pieces.push({ source: lines.base, range: { from: at, to: lines.base.starts.length } })
  return { kind: 'merged', bytes: joinLines(pieces, style), kept }
}

export function isClash(region: Region): boolean {
  return region.change === 'overlap' || region.change === 'too-close'
}

export function alignTexts(bytes: Three<Uint8Array>): Alignment {
  const mixed = Object.values(bytes).some(hasMixedEnds)
  const interner = makeInterner(mixed ? 'with-cr' : 'text')
  const read = mapThree(bytes, (text) => interner.read(text))
  const lines = mapThree(read, (text) => text.lines)
  const ids = mapThree(read, (text) => text.numbers)
  const lineEnds = mergeScalar(mapThree(lines, (text) => text.lineEnds))
  const bom = mergeScalar(mapThree(lines, (text) => text.bom))
  const finalNewline = mergeScalar(mapThree(lines, (text) => text.finalNewline))
  const kept: KeptMine[] = []
  if (lineEnds.conflict && !mixed) kept.push('line-ends')
  if (bom.conflict) kept.push('byte-order-mark')
  if (finalNewline.conflict) kept.push('final-newline')
  return {
    lines,
    regions: regionsOf(
      { ours: diffLines(ids.base, ids.ours), theirs: diffLines(ids.base, ids.theirs) },
      ids,
      interner.size(),
    ),
    style: {
      bom: bom.value,
      lineEnds: mixed ? 'mixed' : (lineEnds.value ?? 'lf'),
      finalNewline: finalNewline.value ?? true,
    },
    kept,
  }
}

function mapThree<T, U>(three: Three<T>, change: (value: T) => U): Three<U> {
  return { base: change(three.base), ours: change(three.ours), theirs: change(three.theirs) }
}

/**
 * Merges one property of the whole file. A side without a value (`undefined`) follows the others.
 */
export function mergeScalar<T>(three: Three<T>): { value: T; conflict: boolean } {
  const { base } = three
  const ours = three.ours ?? base ?? three.theirs
  const theirs = three.theirs ?? base ?? ours
  if (ours === theirs || theirs === base) return { value: ours, conflict: false }
  if (ours === base) return { value: theirs, conflict: false }
  return { value: ours, conflict: true }
}

type Side = 'ours' | 'theirs'

/**
 * Hunks that belong together. If it has hunks of both sides and no `clash`, both sides made the
 * same change.
 */
interface Cluster {
  from: number
  to: number
  readonly ours: Hunk[]
  readonly theirs: Hunk[]
  clash: 'overlap' | 'too-close' | undefined
}

function regionsOf(hunks: Record<Side, Hunk[]>, ids: Three<Int32Array>, idCount: number): Region[] {
  const anchors = countAnchors(ids, idCount)
  const clusters: Cluster[] = []
  for (const next of pairTwins(hunks, ids)) {
    const last = clusters.at(-1)
    // Two hunks of the same side never clash, because they come from the same text.
    const meet = last !== undefined && (touches(last, next) || touches(next, last))
    if (!meet || anchors[last.to]! < anchors[Math.max(last.to, next.from)]!) {
      clusters.push(next)
      continue
    }
    // Adjacent changes count as overlapping (sem.M3). Without an anchor between them they are too
    // close (sem.M4).
    if (last.clash !== 'overlap') last.clash = next.from <= last.to ? 'overlap' : 'too-close'
    last.to = Math.max(last.to, next.to)
    last.ours.push(...next.ours)
    last.theirs.push(...next.theirs)
  }
  return placeClusters(clusters)
}

function touches(a: Cluster, b: Cluster): boolean {
  return a.ours.length > 0 && b.theirs.length > 0
}

/** One cluster per hunk, in order. Hunks that are equal on both sides share one. */
function pairTwins(hunks: Record<Side, Hunk[]>, ids: Three<Int32Array>): Cluster[] {
  const clusters = hunks.ours.map((hunk) => makeCluster(hunk, { ours: [hunk], theirs: [] }))
  const byStart = new Map(clusters.map((cluster) => [cluster.from, cluster]))
  for (const hunk of hunks.theirs) {
    const twin = byStart.get(hunk.a.from)
    if (twin !== undefined && isTwin(twin.ours[0]!, hunk, ids)) twin.theirs.push(hunk)
    else clusters.push(makeCluster(hunk, { ours: [], theirs: [hunk] }))
  }
  return clusters.sort((x, y) => x.from - y.from || x.to - y.to)
}

function makeCluster(hunk: Hunk, sides: Record<Side, Hunk[]>): Cluster {
  return { ...hunk.a, ...sides, clash: undefined }
}

/**
 * The number of anchors before each line of the base. An anchor is a line that occurs exactly once
 * in each of the three texts. Lines such as `}` are not anchors: a differ may pair the wrong ones,
 * and changes separated only by them could swap places.
 */
function countAnchors(ids: Three<Int32Array>, idCount: number): Uint32Array {
  const often = mapThree(ids, (list) => {
    const counts = new Uint32Array(idCount)
    for (let index = 0; index < list.length; index++) counts[list[index]!]!++
    return counts
  })
  const before = new Uint32Array(ids.base.length + 1)
  for (let index = 0; index < ids.base.length; index++) {
    const id = ids.base[index]!
    const anchor = often.base[id] === 1 && often.ours[id] === 1 && often.theirs[id] === 1
    before[index + 1] = before[index]! + (anchor ? 1 : 0)
  }
  return before
}

/** Whether both sides replaced the same lines with the same text. */
function isTwin(ours: Hunk, theirs: Hunk, ids: Three<Int32Array>): boolean {
  const length = ours.b.to - ours.b.from
  if (ours.a.to !== theirs.a.to || theirs.b.to - theirs.b.from !== length) return false
  for (let n = 0; n < length; n++)
    if (ids.ours[ours.b.from + n] !== ids.theirs[theirs.b.from + n]) return false
  return true
}

/** Finds each side's lines that correspond to the cluster's lines in the base. */
function placeClusters(clusters: readonly Cluster[]): Region[] {
  const shift: Record<Side, number> = { ours: 0, theirs: 0 }
  function place(cluster: Cluster, side: Side): Range {
    const from = cluster.from + shift[side]
    for (const { a, b } of cluster[side]) shift[side] += b.to - b.from - (a.to - a.from)
    return { from, to: cluster.to + shift[side] }
  }
  return clusters.map((cluster) => ({
    base: { from: cluster.from, to: cluster.to },
    ours: place(cluster, 'ours'),
    theirs: place(cluster, 'theirs'),
    change: cluster.clash ?? sidesOf(cluster),
  }))
}

function sidesOf(cluster: Cluster): 'ours' | 'theirs' | 'both' {
  if (cluster.theirs.length === 0) return 'ours'
  return cluster.ours.length === 0 ? 'theirs' : 'both'
}
