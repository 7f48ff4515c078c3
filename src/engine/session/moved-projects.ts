import { nameBytes, statPath } from '#disk'
import { command, Failure, remedy } from '#failure'
import { findProjectKey, listProjects, recordMove, type MovedProject } from '#store'
import { listSessions } from './list-sessions.ts'
import { rebase, type Machine } from '../ground/index.ts'

export interface ProjectMovePlan extends MovedProject {
  readonly sessions: number
  /** Retake already has a history of the new directory; the old one is not merged into it. */
  readonly hasHistory: boolean
  apply(): void
}

/** Records that a project is elsewhere now. No file moves, neither the user's nor the agent's. */
export function planProjectMove(
  machine: Machine,
  { from, to }: { readonly from: string; readonly to: string },
): ProjectMovePlan {
  const { data } = machine.places
  if (statPath(to)?.isDirectory() !== true)
    throw new Failure('project-missing', `There is no directory ${to}.`, {
      hint: 'Give the directory where the project is now.',
    })
  if (statPath(from) !== null)
    throw new Failure('usage', `${from} is still there.`, {
      hint: 'Move or rename it first. This command only tells Retake where it went.',
    })
  const sessions = listSessions(machine, null).filter(
    ({ project }) => project !== null && rebase(project, from, to) !== project,
  )
  const stores = listProjects(machine.disk, data).flatMap(({ key, path }) => {
    const now = rebase(path, from, to)
    const stat = now === path ? null : machine.disk.stat(nameBytes(now))
    return stat?.kind === 'directory' ? [{ key, path: now, inode: String(stat.inode) }] : []
  })
  if (sessions.length === 0 && stores.length === 0)
    throw new Failure('no-session', `No session ran in ${from}.`, {
      hint: remedy`${command('sessions', [], { all: true })} to see the directories of all sessions.`,
    })
  const stat = machine.disk.stat(nameBytes(to))!
  const key = findProjectKey(machine.disk, data, { path: to, stat })
  const move = { from, to, at: machine.now().getTime(), stores }
  return {
    ...move,
    sessions: sessions.length,
    hasHistory: machine.disk.stat(nameBytes(`${data}/projects/${key}`)) !== null,
    apply: () => recordMove(machine.disk, data, move),
  }
}

/** Missing project directories of sessions; `isHere` tells which of them moved to `here`. */
export function findGoneProjects(
  machine: Machine,
  here: string,
): { readonly path: string; readonly sessions: number; readonly isHere: boolean }[] {
  const gone = listSessions(machine, null).filter(({ gone: isGone, project }) => isGone && project)
  const stat = machine.disk.stat(nameBytes(here))
  const moved = new Set(
    listProjects(machine.disk, machine.places.data)
      .filter(({ inode, born }) => inode === String(stat?.inode) && born === String(stat?.born))
      .map(({ path }) => path),
  )
  return [...Map.groupBy(gone, ({ project }) => project!)].map(([path, sessions]) => ({
    path,
    sessions: sessions.length,
    isHere: moved.has(path),
  }))
}
