import type { RunStep } from '#agents'
import { Failure } from '#failure'
import { dropShellStep, putShellSteps } from '#store'
import type { RunEvent, TurnId } from '#timeline'
import type { Machine } from '../ground/index.ts'
import { observeProject, openPart } from '../witness/index.ts'
import { openProject } from '../project/index.ts'

/** Scans the files around a turn that Retake itself runs, and around each of its steps. */
export interface RunCapture {
  /** Before the prompt. */
  scan(): void
  /** After the turn, when its process is gone. */
  end(isStopped: boolean): void
  onStep(step: RunStep): void
  /** The step waits for permission: changes made meanwhile are not its own. */
  onAsked(step: string): void
  /** The step was allowed: it cannot have run before this. */
  onAllowed(step: string): void
}

export function captureRun(
  machine: Machine,
  /** Read each time: the agent may choose the id of a new session. */
  run: { readonly project: string; readonly session: string; readonly turn: TurnId },
  tell: (event: RunEvent) => void,
): RunCapture {
  const begun = new Map<string, number>()
  const written = new Map<string, number>()
  const recorded = new Set<string>()
  let refused = false
  const scan = (): void => {
    if (refused) return
    try {
      using project = openProject(machine, run.project)
      observeProject(machine, project, [run.session])
    } catch (error) {
      // The turn matters more: without scans, its recorded edits can still be undone.
      if (!(error instanceof Failure)) throw error
      refused = true
      tell({ type: 'notice', code: error.code, message: error.message })
    }
  }
  const begin = (step: string, at = machine.now().getTime()): void => {
    begun.set(step, at - TICK_MS)
  }
  // Stored at once: a page that reads the files meanwhile needs it to find the author.
  const recordStart = (step: string): void => {
    const began = begun.get(step)
    if (began === undefined || refused) return
    using project = openProject(machine, run.project)
    const ended = Number.MAX_SAFE_INTEGER
    const { session, turn } = run
    putShellSteps(project.store, [{ tool: openPart(step), session, turn, began, ended }])
  }
  const note = (tool: string, ended: number): void => {
    const began = begun.get(tool) ?? ended
    begun.delete(tool)
    using project = openProject(machine, run.project)
    const { session, turn } = run
    putShellSteps(project.store, [{ tool, session, turn, began, ended }])
    dropShellStep(project.store, openPart(tool))
  }
  return {
    scan,
    end(isStopped) {
      // A stopped step reports no end: it may have written until now.
      const ended = machine.now().getTime()
      if (isStopped) for (const step of begun.keys()) note(step, written.get(step) ?? ended)
      scan()
    },
    onAsked(step) {
      if (refused || !begun.has(step)) return
      using project = openProject(machine, run.project)
      dropShellStep(project.store, openPart(step))
    },
    onAllowed(step) {
      begin(step)
      if (!recorded.has(step)) recordStart(step)
    },
    onStep({ id, when, isRecorded, at }) {
      const ended = machine.now().getTime()
      // A step stopped right after its write has no edit in the transcript: only its time is known.
      if (isRecorded) {
        recorded.add(id)
        return when === 'before' ? begin(id, at) : void written.set(id, ended)
      }
      if (when === 'before') {
        scan()
        begin(id, at)
        return recordStart(id)
      }
      // Store the step's times before the scan: another process may read both at any moment.
      note(id, ended)
      scan()
    },
  }
}

/** File timestamps advance in ticks, so they lag behind our clock by up to this much. */
const TICK_MS = 10
