import type { OpenSession, TurnFacts } from '#agents'
import { allScans, type Scan, type Store } from '#store'
import type { Tree, TurnId } from '#timeline'

/** Turns with `whole-tree` coverage: Retake saw all of their file changes. */
export function coveredTurns(store: Store, session: OpenSession, tree: Tree): Set<TurnId> {
  const scans = allScans(store)
  if (scans.length === 0) return new Set()
  const covered = new Set<TurnId>()
  for (const { turn } of session.conversation.turns) {
    const before = tree.turns.get(turn.id)?.parent ?? null
    const past = before === null || !tree.turns.has(before) ? null : session.factsOf(before)
    if (isWholeTree(session.factsOf(turn.id), past, scans)) covered.add(turn.id)
  }
  return covered
}

/**
 * Whether all file changes of a turn are known: a scan ran after the previous turn's end and before
 * this turn's first step, and another one after this turn's end.
 */
function isWholeTree(turn: TurnFacts, before: TurnFacts | null, scans: readonly Scan[]): boolean {
  const { started: first, ended: last } = turn
  if (first === null || last === null) return false
  const earliest = before?.ended ?? Number.NEGATIVE_INFINITY
  return (
    scans.some(({ began, at }) => began >= earliest && at <= first) &&
    scans.some(({ began }) => began >= last)
  )
}
