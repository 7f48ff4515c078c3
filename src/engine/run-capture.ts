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
  return {
    look,
    onStep({ id, when, durationMs }) {
      look()
      const now = machine.now().getTime()
      if (when === 'before') return void begun.set(id, now)
      const began = begun.get(id) ?? now
      using project = openProject(machine, path)
      putShellSteps(project.store, [
        {
          tool: id,
          session,
          turn,
          // Whoever was asked whether it may run took minutes perhaps.
          began: durationMs === null ? began : Math.max(began, now - durationMs - MARGIN_MS),
          ended: now,
        },
      ])
    },
  }
}

const MARGIN_MS = 50
