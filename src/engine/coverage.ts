import type { OpenSession, TurnRows } from '#agents'
import { observedTimes, type Store } from '#store'
import type { Tree, TurnId } from '#timeline'

/** Turns whose whole effect on files was seen. */
export function coveredTurns(store: Store, session: OpenSession, tree: Tree): Set<TurnId> {
  const observed = observedTimes(store)
  const entries = new Map(session.conversation.turns.map((entry) => [entry.turn.id, entry]))
  const covered = new Set<TurnId>()
  for (const [id, entry] of entries) {
    const before = tree.turns.get(id)?.parent ?? null
    if (isWholeTree(entry, before === null ? undefined : entries.get(before), observed))
      covered.add(id)
  }
  return covered
}

/**
 * Whether all of a turn's effect on files is known: the files were looked at after what came
 * before it and before its first step, and again after its end.
 */
function isWholeTree(
  { rows }: TurnRows,
  before: TurnRows | undefined,
  observed: readonly number[],
): boolean {
  const times = timesOf(rows)
  const first = timesOf(rows.filter(({ type }) => type === 'assistant'))[0] ?? times.at(-1)
  const last = times.at(-1)
  if (first === undefined || last === undefined) return false
  const earliest = timesOf(before?.rows ?? []).at(-1) ?? Number.NEGATIVE_INFINITY
  return observed.some((at) => at >= earliest && at <= first) && observed.some((at) => at >= last)
}

function timesOf(rows: readonly { at: string | null }[]): number[] {
  return rows
    .map(({ at }) => Date.parse(at ?? ''))
    .filter((at) => !Number.isNaN(at))
    .toSorted((a, b) => a - b)
}
