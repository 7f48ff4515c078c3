import type { Turn, TurnId } from '#timeline'
import type { Rollout, RolloutTurn } from '../rows/index.ts'
import { bareTurn, countTurns, findLineage, type FindRollout, type Lineage } from './lineage.ts'

/** A turn, and the rollout that has its rows. */
export interface TurnEntry {
  readonly turn: Turn
  readonly rollout: Rollout
  readonly rows: RolloutTurn
}

export interface Conversation {
  /** In the order in which they were written, with those that a revert left behind. */
  readonly turns: readonly TurnEntry[]
  readonly head: TurnId | null
  /** The turn after the head whose prompt the model still gets, without its answer. */
  readonly kept: TurnId | null
  /** Where the current rollout continues from. */
  readonly lineage: Lineage
}

/**
 * All turns of a thread. Every revert begins a new rollout that shares a part of an older one, so
 * the rollouts together are a tree. The head is at the end of the current rollout.
 */
export function buildConversation(
  current: Rollout,
  others: readonly Rollout[],
  find: FindRollout,
): Conversation {
  const entries = new Map<
    string,
    { entry: Omit<TurnEntry, 'turn'>; turn: Omit<Turn, 'summarized'> }
  >()
  let head: string | null = null
  let bare: string | null = null
  const lineage = findLineage(current, find)
  const all = [...others.map((rollout) => findLineage(rollout, find)), lineage]
  for (const { segments, isCut } of all) {
    // The last turn of the segments so far: the next segment continues it.
    let last: string | null = null
    bare = null
    for (const [n, segment] of segments.entries()) {
      const { turns, head: at } = segment.rollout.outline
      const kept = turns.slice(0, countTurns(segment))
      for (const rows of kept) {
        const parent: string | null = rows.parent < 0 ? last : turns[rows.parent]!.id
        const known = entries.get(rows.id)
        if (known !== undefined) continue
        const parentMissing = parent === null && isCut && n === 0
        entries.set(rows.id, {
          entry: { rollout: segment.rollout, rows },
          turn: { ...turnOf(rows, parent, parentMissing), ...(rows.parent < 0 && bare !== null ? { kept: bare as TurnId } : {}) }, // prettier-ignore
        })
      }
      const end = segment.until === null ? turns[at] : kept.at(-1)
      last = end?.id ?? last
      // A turn that follows in this rollout has the prompt before it.
      if (turns.length > 0) bare = null
      bare = bareTurn(segment)?.id ?? bare
    }
    head = last
  }
  const summarized = behindBoundary(lineage)
  return {
    turns: [...entries.values()].map(({ entry, turn }) => ({
      ...entry,
      turn: { ...turn, summarized: summarized.has(turn.id) },
    })),
    head: head as TurnId | null,
    kept: bare as TurnId | null,
    lineage,
  }
}

function turnOf(
  rows: RolloutTurn,
  parent: string | null,
  parentMissing: boolean,
): Omit<Turn, 'summarized'> {
  const { id, prompt, at, isShell, absorbed, interrupted } = rows
  return {
    id: id as TurnId,
    parent: parent as TurnId | null,
    kind: isShell ? 'shell' : 'prompt',
    prompt,
    at,
    absorbed,
    interrupted,
    parentMissing,
  }
}

/** The turns on the current line that ended before its newest summary. */
function behindBoundary({ segments }: Lineage): ReadonlySet<string> {
  for (const [n, segment] of [...segments.entries()].toReversed()) {
    const { turns, boundaries } = segment.rollout.outline
    const kept = turns.slice(0, countTurns(segment))
    const end = segment.until === null ? Number.POSITIVE_INFINITY : (turns[kept.length]?.place ?? segment.until.offset) // prettier-ignore
    const boundary = boundaries.findLast((place) => place < end)
    if (boundary === undefined) continue
    const before = kept.filter(({ over, spoke }) => (over ?? spoke) < boundary)
    const older = segments
      .slice(0, n)
      .flatMap((each) => each.rollout.outline.turns.slice(0, countTurns(each)))
    return new Set([...older, ...before].map(({ id }) => id))
  }
  return new Set()
}
