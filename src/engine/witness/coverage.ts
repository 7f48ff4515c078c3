import { claudeCode, type OpenSession, type TurnRows } from '#agents'
import { allLooks, type Look, type Store } from '#store'
import type { Tree, TurnId } from '#timeline'

/** Turns whose whole effect on files was seen. */
export function coveredTurns(store: Store, session: OpenSession, tree: Tree): Set<TurnId> {
  const looks = allLooks(store)
  if (looks.length === 0) return new Set()
  const entries = new Map(session.conversation.turns.map((entry) => [entry.turn.id, entry]))
  const covered = new Set<TurnId>()
  for (const [id, entry] of entries) {
    const before = tree.turns.get(id)?.parent ?? null
    if (isWholeTree(entry, before === null ? undefined : entries.get(before), looks))
      covered.add(id)
  }
  return covered
}

/**
 * Whether all of a turn's effect on files is known: the files were looked at after what came
 * before it and before its first step, and again after its end.
 */
function isWholeTree(
  turn: TurnRows,
  before: TurnRows | undefined,
  looks: readonly Look[],
): boolean {
  const [first, last] = [startOf(turn), endOf(turn)]
  if (first === null || last === null) return false
  const earliest = (before && endOf(before)) ?? Number.NEGATIVE_INFINITY
  return (
    looks.some(({ began, at }) => began >= earliest && at <= first) &&
    looks.some(({ began }) => began >= last)
  )
}

export function startOf(turn: TurnRows): number | null {
  return claudeCode.factsOf(turn).started
}

export function endOf(turn: TurnRows): number | null {
  return claudeCode.factsOf(turn).ended
}
