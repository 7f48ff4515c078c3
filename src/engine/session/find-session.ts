import type { OpenSession, SessionFile } from '#agents'
import { isSamePath, realPathOf, statPath } from '#disk'
import { command, Failure, remedy, type Remedy } from '#failure'
import type { SessionReport } from '#timeline'
import { listAllSessions, reportSessions } from './list-sessions.ts'
import {
  findLosses,
  findSessionFile,
  listSessionFiles,
  listSessionFilesBelow,
  type Machine,
  noteRootOf,
  openSessionFile,
  projectRoot,
} from '../ground/index.ts'
import { findRepository } from '#snapshots'
import { findGoneProjects } from './moved-projects.ts'
import type { Project } from '../project/index.ts'

export interface SessionQuery {
  /** A session's id, or its first four or more characters. */
  readonly session: string | null
  /** Where to look for the newest session when none is named. */
  readonly project: string | null
  /** Called with the chosen session and the others, if several open ones match equally well. */
  readonly onSeveral?: (taken: SessionReport, others: readonly SessionReport[]) => void
}

export interface FoundSession {
  readonly report: SessionReport
  readonly open: OpenSession
}

/** The named session, else the newest of the project, which may be a parent of the directory. */
export function findSession(
  machine: Machine,
  wanted: SessionQuery,
  within?: Project,
): FoundSession {
  const file = findFile(machine, wanted)
  machine.read.add(file.id)
  return openFound(machine, file, within)
}

/**
 * Opens a session by its file. It is not added to `machine.read`, so that going through many
 * sessions does not copy all of them to the vault.
 */
export function openFound(machine: Machine, file: SessionFile, within?: Project): FoundSession {
  const open = openSessionFile(machine, file)
  noteRootOf(machine, open)
  const [report] = reportSessions(machine, [open.summary], within)
  return { report: report!, open }
}

/** The session's id and project, without reading its conversation. */
export function nameSession(
  machine: Machine,
  wanted: SessionQuery,
): { readonly id: string; readonly project: string | null } {
  const file = findFile(machine, wanted)
  const [summary] = machine.index.summaries([file])
  return { id: file.id, project: summary?.project ?? null }
}

function findFile(machine: Machine, wanted: SessionQuery): SessionFile {
  const { session } = wanted
  const id = session === null ? defaultOf(machine, wanted) : named(machine, session)
  const file = findSessionFile(machine, id)
  if (file === null) throw notFound(machine, id)
  if (session !== null && wanted.project !== null) refuseMoved(machine, file, wanted.project)
  return file
}

/** A user who names a project's new path must learn that Retake does not know of the move. */
function refuseMoved(machine: Machine, file: SessionFile, named: string): void {
  const [summary] = machine.index.summaries([file])
  const project = summary?.project ?? named
  if (project === named || statPath(project) !== null) return
  throw new Failure('project-missing', `The session ran in ${project}, which does not exist.`, {
    hint: remedy`If the project is ${named} now, ${command('project move', [project, named])}.`,
  })
}

/** Whether the session has a transcript; a new one has none before its first prompt. */
export function hasSession(machine: Machine, id: string): boolean {
  return findSessionFile(machine, id) !== null
}

/**
 * The project of a directory: itself, or the nearest above it that has sessions. At the top of a
 * repository without sessions of its own: where its newest session started.
 */
export function findProject(machine: Machine, directory: string): string | null {
  return findNearest(machine, directory)?.project ?? null
}

interface Nearest {
  readonly project: string
  /** Newest first. */
  readonly sessions: readonly SessionReport[]
}

function findNearest(machine: Machine, directory: string): Nearest | null {
  // The agent records real paths, so resolve symbolic links first.
  const real = realPathOf(`${directory}/.`)
  return climb(machine, real) ?? (real === directory ? null : climb(machine, directory))
}

function climb(machine: Machine, directory: string): Nearest | null {
  const root = projectRoot(machine, directory)
  for (let at = directory; ; at = parentOf(at)) {
    // With those of other working trees of the repository.
    const all = listAllSessions(machine, at)
    const own = all.filter(({ project }) => project !== null && isSamePath(project, at))
    const below = at === root && own.length === 0 ? sessionsOfRoot(machine, root) : []
    const newest = below[0]?.project
    if (newest) return { project: newest, sessions: below }
    if (all.length > 0) return { project: at, sessions: own }
    if (at === parentOf(at)) return null
  }
}

/**
 * The sessions that started in directories of the repository: they record its files. Listed only at
 * its top, because the list may be long in a home directory.
 */
function sessionsOfRoot(machine: Machine, root: string): readonly SessionReport[] {
  if (findRepository(root)?.top !== root) return []
  const files = listSessionFilesBelow(machine, root)
  const isOwn = (start: string | null): boolean =>
    start !== null && projectRoot(machine, start) === root
  return reportSessions(
    machine,
    machine.index.summaries(files).filter(({ project }) => isOwn(project)),
  )
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}

/**
 * The session that a live agent has open here, else the newest one with turns: `/clear` leaves an
 * empty session behind that is newer than the one the user means.
 */
function defaultOf(machine: Machine, { project, onSeveral }: SessionQuery): string {
  const directory = project ?? machine.places.cwd
  const here = findNearest(machine, directory)?.sessions ?? []
  const there = here.filter(({ deleted }) => !deleted)
  const used = there.filter(({ turns }) => turns !== 0)
  const open = used.filter(({ live }) => live !== null)
  // If all are deleted, take the newest: its deletion can be undone.
  const taken = open[0] ?? used[0] ?? there[0] ?? here[0]
  if (taken === undefined)
    throw new Failure('no-session', `No session was found for ${directory}.`, {
      hint: hintWithoutSession(machine, directory),
    })
  if (open.length > 1) onSeveral?.(taken, open.slice(1))
  return taken.id
}

/** A renamed directory keeps its inode, which finds its sessions. */
function hintWithoutSession(machine: Machine, directory: string): Remedy {
  const root = projectRoot(machine, directory)
  const was = findGoneProjects(machine, root).find(({ isHere }) => isHere)
  return was === undefined
    ? remedy`${command('sessions', [], { all: true })} to list the sessions of other projects.`
    : remedy`If this project was ${was.path}, ${command('project move', [was.path, root])}.`
}

/** How many sessions of the project a command without a session id could mean. */
export function countSessions(machine: Machine, project: string | null): number {
  if (project === null) return 1
  return listAllSessions(machine, project).filter(
    ({ project: own, turns, deleted }) => own === project && turns !== 0 && !deleted,
  ).length
}

function named(machine: Machine, text: string): string {
  if (findSessionFile(machine, text) !== null) return text
  const couldBe = machine.agents.filter(({ sessions }) => sessions.canBeginWith(text))
  if (couldBe.length > 0 && text.length < 4)
    throw new Failure('session-not-found', 'Give at least four characters of the session id.', {
      hint: remedy`${command('sessions', [], { all: true })} to see the ids.`,
    })
  if (couldBe.length === 0) throw notFound(machine, text)
  const all = listSessionFiles(machine)
  const matching = all.filter(({ id }) => id.startsWith(text))
  if (matching.length > 1)
    throw new Failure('session-ambiguous', `${matching.length} sessions begin with ${text}.`, {
      hint: 'Give more characters of the id.',
    })
  if (matching.length === 0) throw notFound(machine, text)
  return matching[0]!.id
}

function notFound(machine: Machine, id: string): Failure {
  const isKept = findLosses(machine, null).some(({ session }) => session === id)
  return new Failure('session-not-found', `There is no session ${id}.`, {
    hint: isKept
      ? remedy`Its transcript is gone, but Retake has a copy. ${command('rescue', [id])} to get it back.`
      : remedy`${command('sessions', [], { all: true })} to list all sessions.`,
  })
}
