import {
  dropSpooled,
  type LiveProcess,
  readSpool,
  reopenSpool,
  type ShellStamp,
  spoolDirectory,
  type SpoolEvent,
  stillRuns,
} from '#agents'
import { putShellSteps } from '#store'
import { findLiveProcesses, type Machine } from '../ground/index.ts'
import type { Project } from '../project/index.ts'
import { reportedSteps, toolOf, type Reading } from './reported-steps.ts'

/**
 * Consumes these sessions' events in the spool and stores when steps that may write unseen really
 * ran. The agent may not have recorded their turns yet. The events of a running step stay in the
 * spool and are read again.
 */
export function takeSpool(
  machine: Machine,
  { store }: Project,
  sessions: ReadonlySet<string>,
): void {
  const directory = spoolDirectory(machine.places.state)
  const now = machine.now()
  const { events, garbage } = readSpool(machine.disk, directory, { now, sessions })
  const reading = readingAt(machine, now.getTime())
  const found = [...Map.groupBy(events, ({ session }) => session).values()].flatMap((each) =>
    reportedSteps(each, reading),
  )
  if (found.length > 0)
    putShellSteps(
      store,
      found.map(({ step }) => step),
    )
  const open = new Set(found.flatMap(({ isOpen, from }) => (isOpen ? from : [])))
  const done = events.filter((event) => !open.has(event) && !mayBeOfOpenStep(event, open))
  dropSpooled(machine.disk, directory, [...done, ...garbage])
}

/** Whether a background command of the session still runs, according to its shell's stamps. */
export function runsInBackground(machine: Machine, session: string): boolean {
  const directory = spoolDirectory(machine.places.state)
  const now = machine.now()
  const sessions = new Set([session])
  const { events } = readSpool(machine.disk, directory, { now, sessions })
  return reportedSteps(events, readingAt(machine, now.getTime())).some(
    ({ step, from }) =>
      toolOf(step.tool).part === 'behind' &&
      from.some((event) => event.kind === 'shell' && isShellAlive(event)),
  )
}

/**
 * Each hook calls this before its scan, so that events do not pile up while no command reads them.
 */
export function takeEvents(machine: Machine, project: Project, session: string | undefined): void {
  reopenSpool(machine.disk, spoolDirectory(machine.places.state))
  if (session !== undefined) takeSpool(machine, project, new Set([session]))
}

/** Lists the live processes only if a step has no end. */
function readingAt(machine: Machine, now: number): Reading {
  let live: readonly LiveProcess[] | null = null
  return {
    now,
    isAlive(session, { began }) {
      live ??= findLiveProcesses(machine)
      return live.some((each) => each.session === session && each.startedAt <= began)
    },
    isShellAlive,
  }
}

function isShellAlive({ shell, at }: ShellStamp): boolean {
  return stillRuns(shell, Number(at) / 1e6)
}

/** The stamps of a running step are needed to find its end. */
function mayBeOfOpenStep(event: SpoolEvent, open: ReadonlySet<SpoolEvent>): boolean {
  if (event.kind !== 'shell') return false
  return [...open].some(
    (other) =>
      other.kind === 'shell' && other.session === event.session && other.shell === event.shell,
  )
}
