import type { OpenSession } from '#agents'
import { allGitMoves, putShellSteps, stepsWithoutTurn, type Store } from '#store'
import { stepsOf } from '#timeline'
import { allSteps } from './known-steps.ts'
import { toolOf } from './reported-steps.ts'

/**
 * Finds the turns of the steps that ran when git moved. A turn can commit, or take a stash, and
 * leave every file as it was: then no change needs an author, and git's moves would have no turn.
 */
export function nameStepsBesideGit(store: Store, session: OpenSession): void {
  const moves = allGitMoves(store)
  const open = stepsWithoutTurn(store).filter(
    (step) =>
      step.session === session.file.id &&
      moves.some(({ since, seen }) => step.began <= seen && step.ended >= since),
  )
  if (open.length === 0) return
  const from = Math.min(...open.map(({ began }) => began))
  const to = Math.max(...open.map(({ ended }) => ended))
  const found = session.conversation.turns.flatMap(({ turn }) => {
    const { ended } = session.factsOf(turn.id)
    if ((ended !== null && ended < from) || Date.parse(turn.at ?? '') > to) return []
    const own = new Set(allSteps(stepsOf(session.readTurn(turn.id).moments)).map(({ id }) => id))
    return open.flatMap((step) => (own.has(toolOf(step.tool).tool) ? [{ ...step, turn: turn.id }] : [])) // prettier-ignore
  })
  if (found.length > 0) putShellSteps(store, found)
}
