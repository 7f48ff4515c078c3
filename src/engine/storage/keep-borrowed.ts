import { readSpool, spoolDirectory } from '#agents'
import type { Machine } from '../ground/index.ts'
import { copyBorrowedEarly, mayTouchGit } from '../witness/index.ts'
import type { Project } from '../project/index.ts'

/** Whether a step of these sessions runs, or is about to, that may delete git's objects. */
export function isGitAtRisk(machine: Machine, sessions: ReadonlySet<string>): boolean {
  const directory = spoolDirectory(machine.places.state)
  const { events } = readSpool(machine.disk, directory, { now: machine.now(), sessions })
  return events.some(
    (event) =>
      event.kind === 'hook' && event.name === 'PreToolUse' && mayTouchGit(event.command ?? ''),
  )
}

/** For a hook's scan: copies the contents that only git has, while git still has them (sem.K3). */
export function keepBorrowed(
  machine: Machine,
  project: Project,
  { session, atStep }: { session: string | undefined; atStep: boolean },
): void {
  if (!atStep) copyBorrowedEarly(machine, project, 'small')
  else if (session !== undefined && isGitAtRisk(machine, new Set([session])))
    copyBorrowedEarly(machine, project, 'any')
}
