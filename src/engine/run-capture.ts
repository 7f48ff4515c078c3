import type { RunStep } from '#agents'
import { Failure } from '#failure'
import { putShellSteps } from '#store'
import type { RunEvent, TurnId } from '#timeline'
import type { Machine } from './machine.ts'
import { observeProject } from './observe-project.ts'
import { openProject } from './open-project.ts'

/** Looks at the files at every bound of a turn that Retake itself runs. */
export interface RunCapture {
  /** Before the prompt, and after the turn. */
  look(): void
  onStep(step: RunStep): void
  /** Somebody allowed this step: it cannot have run before. */
  onAllowed(step: string): void
}

export function captureRun(
  machine: Machine,
  { project: path, session, turn }: { project: string; session: string; turn: TurnId },
  tell: (event: RunEvent) => void,
): RunCapture {
  const begun = new Map<string, number>()
  let refused = false
  const look = (): void => {
    if (refused) return
    try {
      using project = openProject(machine, path)
      observeProject(machine, project)
    } catch (error) {
      // The turn matters more: without looks its recorded edits can still be undone.
      if (!(error instanceof Failure)) throw error
      refused = true
      tell({ type: 'notice', code: error.code, message: error.message })
    }
  }
  const begin = (step: string): void => {
    begun.set(step, machine.now().getTime() - TICK_MS)
  }
  return {
    look,
    onAllowed: begin,
    onStep({ id, when }) {
      const ended = machine.now().getTime()
      look()
      if (when === 'before') return begin(id)
      const began = begun.get(id) ?? ended
      using project = openProject(machine, path)
      putShellSteps(project.store, [{ tool: id, session, turn, began, ended }])
    },
  }
}

/** The clock that stamps files goes by ticks, and so behind ours by up to one of them. */
const TICK_MS = 10
