import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '#failure'
import type { TurnId } from '#timeline'
import { agentOf, type Machine } from '../ground/index.ts'
import { readSession } from '../session/index.ts'
import { findSupervised, stopAgent, type EndedAgent } from '../supervise/index.ts'
import { findTurnAtWork } from './turn-at-work.ts'

const POLL_MS = 50
/** Hooks may scan the files before the agent writes the prompt down. */
const WRITTEN_MS = 3000

export interface StoppedTurn {
  readonly agent: EndedAgent
  readonly turn: TurnId
}

/**
 * Ends a supervised agent in the middle of a turn; null if none is busy with the session. Waits
 * until the turn is in the transcript: a prompt that is not would be lost, and an undo would undo
 * the turn before it.
 */
export async function stopTurn(machine: Machine, session: string): Promise<StoppedTurn | null> {
  for (const end = performance.now() + WRITTEN_MS; ; await sleep(POLL_MS)) {
    const found = findSupervised(machine, session)
    if (found === null || found.process.status !== 'busy') return null
    const turn = findTurnAtWork(readSession(machine, { session, project: null }), found.process)
    if (turn !== null) {
      const agent = await stopAgent(machine, session)
      return agent === null ? null : { agent, turn }
    }
    if (performance.now() < end) continue
    const { name } = agentOf(machine, { agent: found.agent }).words
    throw new Failure('session-busy', `${name} is busy, but not with a turn that can be undone.`, {
      hint: 'Try again in a moment, or press Esc in its terminal.',
    })
  }
}
