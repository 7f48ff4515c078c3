import type { RunStep } from '#agents'
import { Failure } from '#failure'
import { dropShellStep, putShellSteps } from '#store'
import type { RunEvent, TurnId } from '#timeline'
import type { Machine } from '../ground/index.ts'
import { observeProject, openOf } from '../witness/index.ts'
import { openProject } from '../project/index.ts'

/** Looks at the files at every bound of a turn that Retake itself runs. */
export interface RunCapture {
  /** Before the prompt. */
  look(): void
  /** After the turn, when its process is gone. */
  end(isStopped: boolean): void
  onStep(step: RunStep): void
  /** The step waits for permission: what is written meanwhile is not its work. */
  onAsked(step: string): void
  /** The step was allowed: it cannot have run before. */
  onAllowed(step: string): void
}

export function captureRun(
  machine: Machine,
  { project: path, session, turn }: { project: string; session: string; turn: TurnId },
  tell: (event: RunEvent) => void,
): RunCapture {
  const begun = new Map<string, number>()
  const written = new Map<string, number>()
  const recorded = new Set<string>()
  let refused = false
  const look = (): void => {
    if (refused) return
    try {
      using project = openProject(machine, path)
      observeProject(machine, project, [session])
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
  // Told at once: a page that reads the files meanwhile must know whose work it sees.
  const tellBegun = (step: string): void => {
    const began = begun.get(step)
    if (began === undefined || refused) return
    using project = openProject(machine, path)
    const ended = Number.MAX_SAFE_INTEGER
    putShellSteps(project.store, [{ tool: openOf(step), session, turn, began, ended }])
  }
  const note = (tool: string, ended: number): void => {
    const began = begun.get(tool) ?? ended
    begun.delete(tool)
    using project = openProject(machine, path)
    putShellSteps(project.store, [{ tool, session, turn, began, ended }])
    dropShellStep(project.store, openOf(tool))
  }
  return {
    look,
    end(isStopped) {
      // Nobody says that a step ended which was stopped; until now it may have written.
      const ended = machine.now().getTime()
      if (isStopped) for (const step of begun.keys()) note(step, written.get(step) ?? ended)
      look()
    },
    onAsked(step) {
      if (refused || !begun.has(step)) return
      using project = openProject(machine, path)
      dropShellStep(project.store, openOf(step))
    },
    onAllowed(step) {
      begin(step)
      if (!recorded.has(step)) tellBegun(step)
    },
    onStep({ id, when, isRecorded }) {
      const ended = machine.now().getTime()
      // Stopped right after it wrote, a step's edit is not in the transcript: only its time is known.
      if (isRecorded) {
        recorded.add(id)
        return when === 'before' ? begin(id) : void written.set(id, ended)
      }
      if (when === 'before') {
        look()
        begin(id)
        return tellBegun(id)
      }
      // First when it ran, then what it did: another process may ask for both at any moment.
      note(id, ended)
      look()
    },
  }
}

/** The clock that stamps files goes by ticks, and so behind ours by up to one of them. */
const TICK_MS = 10
