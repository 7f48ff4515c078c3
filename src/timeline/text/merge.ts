import { sameValue, type Contents, type FileValue, type Value } from '../data/index.ts'
import { isBinary, type Range } from './lines.ts'
import { mergeScalar, mergeText, type KeptMine, type Three } from './merge-text.ts'

/**
 * How a clean merge was made. `same`: both sides are equal. `put`: the present file was unchanged,
 * so the wanted content replaced it. `keep`: the operation changes nothing, so the present file
 * stays. `merge`: lines of both were combined, and a person should check them.
 */
export type MergeKind = 'same' | 'put' | 'keep' | 'merge'

/** Why two changes of a path cannot be combined. Stable, because programs match on it. */
export type MergeConflictReason =
  | 'gone-here' // the file to change was deleted
  | 'changed-here' // the file to delete was changed
  | 'made-twice' // both sides created it, differently
  | 'kinds-differ' // a file on one side, a symlink on another
  | 'symlink'
  | 'binary'
  | 'overlap' // both changed the same or adjacent lines
  | 'too-close' // no unique line separates the changes
  | 'unknown-value'

/** Line numbers for display: from 1, both ends included. An empty range ends before it starts. */
export type LineSpan = readonly [from: number, to: number]

export interface ConflictRegion {
  readonly base: LineSpan
  readonly ours: LineSpan
  readonly theirs: LineSpan
}

export type Merge =
  | {
      readonly kind: 'merged'
      readonly value: Value
      readonly how: MergeKind
      readonly kept: readonly KeptMine[]
    }
  | {
      readonly kind: 'conflict'
      readonly reason: MergeConflictReason
      readonly regions: readonly ConflictRegion[]
      /** Taking theirs would lose only white space of ours. */
      readonly onlyWhitespace: boolean
    }

/** Merges one path (sem.M1 to sem.M4). */
export function mergeValues(contents: Contents, three: Three<Value>): Merge {
  const { base, ours, theirs } = three
  if (base.kind === 'unknown' || ours.kind === 'unknown' || theirs.kind === 'unknown')
    return conflict('unknown-value')
  if (sameValue(ours, theirs)) return merged(ours, 'same')
  if (sameValue(ours, base)) return merged(theirs, 'put')
  if (sameValue(theirs, base)) return merged(ours, 'keep')
  if (ours.kind === 'absent') return conflict('gone-here')
  if (theirs.kind === 'absent') return conflict('changed-here')
  if (base.kind === 'absent') return conflict('made-twice')
  if (ours.kind !== theirs.kind || ours.kind !== base.kind) return conflict('kinds-differ')
  if (base.kind === 'symlink' || ours.kind === 'symlink' || theirs.kind === 'symlink')
    return conflict('symlink')
  return mergeFiles(contents, { base, ours, theirs })
}

function mergeFiles(contents: Contents, { base, ours, theirs }: Three<FileValue>): Merge {
  const mode = mergeScalar({ base: base.mode, ours: ours.mode, theirs: theirs.mode })
  const kept: KeptMine[] = mode.conflict ? ['mode'] : []
  function done(content: FileValue['content'], keptMore: readonly KeptMine[] = []): Merge {
    const value: FileValue = { kind: 'file', content, mode: mode.value }
    return { kind: 'merged', value, how: 'merge', kept: [...kept, ...keptMore] }
  }

  // The mode is merged separately, so a chmod on one side does not conflict with new content on the
  // other, even if that is binary.
  if (ours.content === theirs.content || theirs.content === base.content) return done(ours.content)
  if (ours.content === base.content) return done(theirs.content)

  if (![base, ours, theirs].every(({ content }) => contents.has(content)))
    return conflict('unknown-value')
  const bytes = {
    base: contents.bytes(base.content),
    ours: contents.bytes(ours.content),
    theirs: contents.bytes(theirs.content),
  }
  if (isBinary(bytes.base) || isBinary(bytes.ours) || isBinary(bytes.theirs))
    return conflict('binary')
  const text = mergeText(bytes)
  if (text.kind === 'merged') return done(contents.add(text.bytes), text.kept)
  return {
    kind: 'conflict',
    reason: text.reason,
    regions: text.regions.map(regionForUsers),
    onlyWhitespace: losesOnlyWhitespace(bytes),
  }
}

function merged(value: Value, how: MergeKind): Merge {
  return { kind: 'merged', value, how, kept: [] }
}

function conflict(reason: MergeConflictReason): Merge {
  return { kind: 'conflict', reason, regions: [], onlyWhitespace: false }
}

export function regionForUsers(region: Three<Range>): ConflictRegion {
  return {
    base: [region.base.from + 1, region.base.to],
    ours: [region.ours.from + 1, region.ours.to],
    theirs: [region.theirs.from + 1, region.theirs.to],
  }
}

export function losesOnlyWhitespace({ base, ours, theirs }: Three<Uint8Array>): boolean {
  if (ours.length === base.length && ours.every((byte, i) => byte === base[i])) return false
  return sameButForWhitespace(ours, base) || sameButForWhitespace(ours, theirs)
}

function sameButForWhitespace(a: Uint8Array, b: Uint8Array): boolean {
  let i = 0
  let j = 0
  for (;;) {
    while (i < a.length && isWhitespace(a[i]!)) i++
    while (j < b.length && isWhitespace(b[j]!)) j++
    if (i === a.length || j === b.length) return i === a.length && j === b.length
    if (a[i++] !== b[j++]) return false
  }
}

function isWhitespace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}
