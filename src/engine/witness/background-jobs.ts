import type { OpenSession } from '#agents'
import { shellStepsSince, type Store } from '#store'
import { stepsOf, type Step, type TurnId } from '#timeline'
import { leavesProcessRunning } from './leaves-process-running.ts'
import { toolOf } from './reported-steps.ts'

/** A command that may have gone on in the background after its step. */
export interface BackgroundJob {
  readonly turn: TurnId
  readonly began: number
  /** Infinity if nothing reports its end. */
  readonly ended: number
  readonly command: string
}

/** Turns to read per session. Reading all of a long session would delay every list. */
const MAX_TURNS = 10

/** The latest turns' commands that left a process running, by their text or as hooks reported. */
export function backgroundJobs(
  store: Store,
  sessions: readonly OpenSession[],
  since: number,
): BackgroundJob[] {
  const behind = new Map(
    shellStepsSince(store, since).flatMap(({ tool: name, ended }) => {
      const { tool, part } = toolOf(name)
      return part === 'behind' ? [[tool, ended] as const] : []
    }),
  )
  return sessions.flatMap((session) =>
    session.conversation.turns.slice(-MAX_TURNS).flatMap(({ turn }) =>
      commandsIn(stepsOf(session.readTurn(turn.id).moments)).flatMap((step): BackgroundJob[] => {
        const { id, about: command } = step
        const ended = behind.get(id) ?? (leavesProcessRunning(command) ? Infinity : null)
        const began = Date.parse(step.at ?? '')
        return ended === null || Number.isNaN(began)
          ? []
          : [{ turn: turn.id, began, ended, command }]
      }),
    ),
  )
}

function commandsIn(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [
    ...(step.unknownEffect === null || step.outcome === 'denied' ? [] : [step]),
    ...commandsIn(step.agent?.steps ?? []),
  ])
}
