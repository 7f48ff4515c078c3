import type { OpenSession, TurnFacts } from '#agents'
import { allLooks, type Look, type Store } from '#store'
import type { Tree, TurnId } from '#timeline'

/** Turns with `whole-tree` coverage: Retake saw all of their file changes. */
export function coveredTurns(store: Store, session: OpenSession, tree: Tree): Set<TurnId> {
  const looks = allLooks(store)
  if (looks.length === 0) return new Set()
  const covered = new Set<TurnId>()
  for (const { turn } of session.conversation.turns) {
    const before = tree.turns.get(turn.id)?.parent ?? null
    const past = before === null || !tree.turns.has(before) ? null : session.factsOf(before)
    if (isWholeTree(session.factsOf(turn.id), past, looks)) covered.add(turn.id)
  }
  return covered
}

/**
 * Whether all file changes of a turn are known: a scan ran after the previous turn's end and before
 * this turn's first step, and another one after this turn's end.
 */
function isWholeTree(turn: TurnFacts, before: TurnFacts | null, looks: readonly Look[]): boolean {
  const { started: first, ended: last } = turn
  if (first === null || last === null) return false
  const earliest = before?.ended ?? Number.NEGATIVE_INFINITY
  return (
    looks.some(({ began, at }) => began >= earliest && at <= first) &&
    looks.some(({ began }) => began >= last)
  )
}
