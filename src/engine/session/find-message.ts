import { Failure } from '#failure'
import { isStart, type TurnId } from '#timeline'
import { findTurn } from './find-turn.ts'
import type { ReadSession } from './read-session.ts'

/**
 * Finds a turn by its name, or by any row of the transcript, such as an answer or a tool result.
 * Such a row leads to the prompt above it: snapshots exist only there, and a rewind to another row
 * would aim at a state that never existed.
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

/** Null for the place before the first turn. */
export function findTurnOrStart(session: ReadSession, named: string | number): TurnId | null {
  return isStart(named) ? null : findTurnOfMessage(session, String(named))
}
