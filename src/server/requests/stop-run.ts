import { askedAfterStop, readSession, type ReadSession, type Stopped } from '#engine'
import { Failure } from '#failure'
import type { PlanBody } from '#protocol'
import { readAsked, readHow } from './read-asked.ts'
import type { Served } from './served.ts'

/** A plan is for somebody who thinks about it; meanwhile the agent must not go on. */
export function refuseRunning({ runs }: Served, session: string): void {
  if (runs.find(session) === null) return
  throw new Failure('session-busy', 'The agent is at work in this session.', {
    hint: 'Stop it first, or wait until it is done.',
  })
}

/** Stops what this server runs in the session. What waits is cleared before the first `await`. */
export async function stopRun({ runs, machine }: Served, session: string): Promise<Stopped | null> {
  if (runs.find(session) !== null) return runs.stop(session)
  return runs.stop(readSession(machine, { session, project: null }).report.id)
}

/** What was asked for, when a turn had to be stopped for it. Null: the stop was all of it. */
export function readStopped(
  served: Served,
  session: ReadSession,
  body: PlanBody,
  stopped: Stopped,
): ReturnType<typeof askedAfterStop> {
  const { tree } = session
  const head = tree.head ?? undefined
  // Who asked saw the session with the turn that ran, or without it; both mean this one.
  const seen = [stopped.run.turn, tree.turns.get(stopped.run.turn)?.parent ?? head]
  const isSeen = seen.some((turn) => turn === body.expectHead)
  const asked = isSeen ? { ...body, expectHead: head } : body
  // The first turn of a conversation stays, unless it is the one that was stopped.
  const read =
    asked.verb === 'back'
      ? {
          asked: { verb: 'undo', count: 1 } as const,
          how: { ...readHow(session, asked), only: 'chat' as const },
        }
      : readAsked(served, session, asked)
  return askedAfterStop(read, stopped, session)
}
