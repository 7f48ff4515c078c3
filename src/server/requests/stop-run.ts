import { readSession, type Stopped } from '#engine'
import { Failure } from '#failure'
import type { Served } from './served.ts'

/** The user takes time to decide about a plan; the agent must not continue meanwhile. */
export function refuseRunning({ runs }: Served, session: string): void {
  if (runs.find(session) === null) return
  throw new Failure('session-busy', 'The agent is working in this session.', {
    hint: 'Stop it first, or wait until it is done.',
  })
}

/** Stops this server's run in the session. Clears the queue before the first `await`. */
export async function stopRun({ runs, machine }: Served, session: string): Promise<Stopped | null> {
  if (runs.find(session) !== null) return runs.stop(session)
  return runs.stop(readSession(machine, { session, project: null }).report.id)
}
