import type { RunStep } from '#agents'
import { Failure } from '#failure'
import { putShellSteps } from '#store'
import type { RunEvent, TurnId } from '#timeline'
import type { Machine } from './machine.ts'
import { observeProject } from './observe-project.ts'
import { openProject } from './open-project.ts'

/** Looks at the files at every bound of a turn that Retake itself runs. */
export interface RunCapture {
  /** Before the prompt. */
  look(): void
  /** After the turn, when its process is gone. */
  end(isStopped: boolean): void
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
  const written = new Map<string, number>()
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
  const note = (tool: string, ended: number): void => {
    const began = begun.get(tool) ?? ended
    begun.delete(tool)
    using project = openProject(machine, path)
    putShellSteps(project.store, [{ tool, session, turn, began, ended }])
  }
  return {
    look,
    end(isStopped) {
      // Nobody says that a step ended which was stopped; until now it may have written.
      const ended = machine.now().getTime()
      look()
      if (isStopped) for (const step of begun.keys()) note(step, written.get(step) ?? ended)
    },
    onAllowed: begin,
    onStep({ id, when, isRecorded }) {
      const ended = machine.now().getTime()
      // Stopped right after it wrote, a step's edit is not in the transcript: only its time is known.
      if (isRecorded) return when === 'before' ? begin(id) : void written.set(id, ended)
      look()
      if (when === 'before') return begin(id)
      note(id, ended)
    },
  }
}

/** The clock that stamps files goes by ticks, and so behind ours by up to one of them. */
const TICK_MS = 10
