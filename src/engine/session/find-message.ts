import { Failure } from '#failure'
import type { TurnId } from '#timeline'
import { findTurn } from './find-turn.ts'
import type { ReadSession } from './read-session.ts'

/**
 * The turn that somebody means who names a turn, or any row of the transcript: an answer, or what
 * a tool brought back. Those are led to the prompt above them, because only there do snapshots
 * stand; a rewind to any other row would aim at a state that never was.
 */
export function findTurnOfMessage({ tree, open }: ReadSession, named: string): TurnId {
  try {
    return findTurn(tree, named)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'turn-not-found') throw error
    const above = open.turnOfMessage(named)
    if (above === null) throw error
    return above
  }
}
