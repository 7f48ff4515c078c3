import type { OpenSession } from '#agents'
import { stepsOf } from '#timeline'
import type { UnseenStep } from './authors.ts'

const RAN_ON = 'a command ran on in the background'

/** The agent's timestamps and the file system's are not taken at the same moment. */
const SLACK = 2000

/** Turns to read per session. Reading all of a long session would delay every list. */
const MAX_TURNS = 10

/** Commands of the latest turns that ran on after their result, as the transcript has them. */
export function stepsRunningOn(
  sessions: readonly OpenSession[],
  since: number,
  { now, isAlive }: { now: number; isAlive: (session: string) => boolean },
): UnseenStep[] {
  return sessions.flatMap((session) =>
    session.conversation.turns.slice(-MAX_TURNS).flatMap(({ turn }) =>
      stepsOf(session.readTurn(turn.id).moments).flatMap((step): UnseenStep[] => {
        if (step.ranOn === undefined || step.unknownEffect === null) return []
        const began = Date.parse(step.endedAt ?? step.at ?? '')
        const { until } = step.ranOn
        // The agent ends its commands when it exits.
        const end = until === null ? (isAlive(session.file.id) ? now : began) : Date.parse(until)
        if (Number.isNaN(began) || end + SLACK < since) return []
        return [{ tool: step.id, turn: turn.id, began, ended: end + SLACK, why: RAN_ON }]
      }),
    ),
  )
}
