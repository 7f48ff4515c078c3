import type { OpenSession } from '#agents'
import { hasShellStep, putShellSteps, shellStepsSince, stepsWithoutTurn } from '#store'
import { stepsOf, type Step, type TurnId } from '#timeline'
import type { RanStep, Witnesses } from './authors.ts'
import type { Project } from './open-project.ts'

/** The agent's clock and the file system's are not read at the same moment. */
const SLACK = 2000

const BEHIND = ' behind'

/** The part of a step that went on after its end was told: a server runs for hours that way. */
export function behindOf(tool: string): string {
  return `${tool}${BEHIND}`
}

/**
 * Who may have written unseen since then: the steps that hooks told of, with their turns, and
 * those that the sessions have and no hook told of.
 */
export function knownSteps(
  { store }: Project,
  sessions: readonly OpenSession[],
  since: number,
): Witnesses {
  const told = shellStepsSince(store, since)
  const open = stepsWithoutTurn(store)
  const turns = new Map<string, TurnId>()
  const dark: RanStep[] = []
  for (const session of sessions)
    for (const { turn, rows } of session.conversation.turns) {
      // A background step of an old turn may still be running.
      const isOld = rows.every(({ at }) => Date.parse(at ?? '') < since - SLACK)
      if (isOld && !open.some((step) => step.session === session.file.id)) continue
      for (const step of allSteps(stepsOf(session.readTurn(turn.id).moments))) {
        turns.set(step.id, turn.id)
        if (step.unknownEffect !== null && step.agent === null && !hasShellStep(store, step.id))
          dark.push(darkStep(step, turn.id))
      }
    }
  const found = open.flatMap((step) => {
    const turn = turns.get(step.tool.replace(BEHIND, ''))
    return turn === undefined ? [] : [{ ...step, turn }]
  })
  if (found.length > 0) putShellSteps(store, found)
  const turnOf = (step: { tool: string; turn: TurnId | null }): TurnId | null =>
    step.turn ?? turns.get(step.tool.replace(BEHIND, '')) ?? null
  const steps = told.flatMap(({ tool, began, ended, turn }) => {
    const of = turnOf({ tool, turn })
    return of === null ? [] : [{ tool, began, ended, turn: of }]
  })
  // What goes on behind does not stand for all that happens meanwhile: the user types.
  const behind = steps.filter(({ tool }) => tool.endsWith(BEHIND))
  return {
    steps: steps.filter((step) => !behind.includes(step)),
    dark: [...behind, ...dark.filter(({ ended }) => ended >= since)],
  }
}

function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...allSteps(step.agent?.steps ?? [])])
}

function darkStep({ id, at, endedAt }: Step, turn: TurnId): RanStep {
  const [began, ended] = [Date.parse(at ?? ''), Date.parse(endedAt ?? '')]
  return {
    tool: id,
    turn,
    began: Number.isNaN(began) ? Number.NEGATIVE_INFINITY : began - SLACK,
    ended: Number.isNaN(ended) ? Number.POSITIVE_INFINITY : ended + SLACK,
  }
}
