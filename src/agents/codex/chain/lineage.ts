import type { Rollout, RolloutTurn } from '../rows/index.ts'

/** A part of a rollout that belongs to a conversation: its turns before `ordinal`. */
export interface Segment {
  readonly rollout: Rollout
  /** Null: the whole rollout. */
  readonly until: { readonly ordinal: number; readonly offset: number } | null
}

export interface Lineage {
  /** Oldest first; the last one is the rollout itself. */
  readonly segments: readonly Segment[]
  /** The rollout begins with a part of another one, which is missing or leads back to itself. */
  readonly isCut: boolean
}

/** Finds a rollout by its id; null if it is missing or unreadable. */
export type FindRollout = (id: string) => Rollout | null

/** Deeper chains are cut: no one reverts a conversation so often. */
const MAX_DEPTH = 1000

/** Follows `history_base` from a rollout to the first one. */
export function findLineage(rollout: Rollout, find: FindRollout): Lineage {
  const segments: Segment[] = [{ rollout, until: null }]
  const seen = new Set([rollout.path])
  for (let at = rollout; ;) {
    const base = at.outline.meta?.base ?? null
    if (base === null) return { segments, isCut: false }
    const found = find(base.rollout)
    if (found === null || seen.has(found.path) || seen.size > MAX_DEPTH)
      return { segments, isCut: true }
    seen.add(found.path)
    segments.unshift({ rollout: found, until: { ordinal: base.ordinal, offset: base.offset } })
    at = found
  }
}

/** The turn that the segment ends in before the model said anything; null if there is none. */
export function bareTurn(segment: Segment): RolloutTurn | null {
  const { until } = segment
  const last = segment.rollout.outline.turns[countBegun(segment) - 1]
  if (until === null || last === undefined || last.end <= until.offset) return null
  const { answered, ordinal } = last
  if (answered === null) return null
  const isBefore =
    ordinal === null || answered.ordinal === null
      ? answered.place >= until.offset
      : answered.ordinal >= until.ordinal
  return isBefore ? last : null
}

/** How many of the rollout's turns belong to the segment, without one that has only its prompt. */
export function countTurns(segment: Segment): number {
  return countBegun(segment) - (bareTurn(segment) === null ? 0 : 1)
}

function countBegun({ rollout: { outline }, until }: Segment): number {
  if (until === null) return outline.turns.length
  const { ordinal: end, offset } = until
  const n = outline.turns.findIndex(({ ordinal, place }) =>
    ordinal === null ? place >= offset : ordinal >= end,
  )
  return n < 0 ? outline.turns.length : n
}
