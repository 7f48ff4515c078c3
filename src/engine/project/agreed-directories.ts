import { dirname } from 'node:path'
import type { OpenSession } from '#agents'
import { realPathOf } from '#disk'
import { findRepository } from '#snapshots'
import { linksTouching } from '#store'
import type { ProjectPath } from '#timeline'
import { changeSetting, usableSettings, type Machine } from '../ground/index.ts'
import { isIn, openAnnexes, usableDirectories, whyRefused } from './annexes.ts'
import { realOf, toProjectPath } from './project-path.ts'
import type { Project } from './project.ts'
import { isWatched, watchAlso } from './watched-directories.ts'

/**
 * Directories outside a project in which a session's changes are undone too (sem.A9): those that
 * the user agreed to, and those given to the agent with `--add-dir`. Files in them are named by
 * absolute path.
 */
interface Agreed {
  readonly directories: readonly string[]
  /** All directories given with `--add-dir`, including those that are never scanned. */
  readonly added: readonly string[]
  /**
   * The directory to ask the user about for a path; null if none may be agreed to, or the user said
   * no.
   */
  readonly propose: (path: string) => string | null
}

const agreed = new WeakMap<object, Agreed>()

/** Finds the directories agreed to for a session, and opens them. */
export function openAgreed(
  machine: Machine,
  project: Project,
  session: OpenSession,
  also: readonly string[] = [],
): void {
  const { directories, declinedDirectories } = usableSettings(machine)
  const added = addedOutside(session, project.path)
  const found = usableDirectories(machine, project, [...directories, ...also, ...added])
  openAnnexes(machine, project, found)
  watchAlso(machine, project, also)
  const declined = new Set(declinedDirectories)
  agreed.set(project, {
    directories: found,
    added,
    propose(path) {
      const directory = directoryToAsk(machine, realOf(path))
      return directory === null || declined.has(directory) ? null : directory
    },
  })
}

/**
 * The absolute path of a file outside the project whose changes are recorded; null for other files.
 */
export function outsidePath(project: Project, path: string): ProjectPath | null {
  if (!path.startsWith('/') || path.includes('\0')) return null
  return outsideReal(project, realOf(path) as ProjectPath)
}

/** The same for a path whose links are already resolved. */
export function outsideReal(project: Project, real: ProjectPath): ProjectPath | null {
  // Edits of scanned files count without agreement: otherwise they would be taken for the user's.
  return isAgreed(project, real) || isWatched(project, real) ? real : null
}

/** The path of a file in the project, or outside it if Retake has data about it; otherwise null. */
export function knownPath(project: Project, path: string): ProjectPath | null {
  const inside = toProjectPath(path, project.path)
  if (inside !== null || !path.startsWith('/') || path.includes('\0')) return inside
  const real = realOf(path) as ProjectPath
  return linksTouching(project.store, real).length > 0 ? real : outsidePath(project, path)
}

/** Whether this session's changes to a file outside the project may be undone. */
export function isAgreedPath(project: Project, path: string): boolean {
  return isAgreed(project, realOf(path) as ProjectPath)
}

/** True for every path in the project. */
export function isAgreed(project: Project, path: ProjectPath): boolean {
  if (!path.startsWith('/')) return true
  const known = agreed.get(project)
  // Without `openAgreed` there is no plan: the caller only reads files.
  if (known === undefined) return isWatched(project, path)
  return known.directories.some((directory) => isIn(directory, path))
}

export function directoryToAgree(project: Project, path: string): string | null {
  return agreed.get(project)?.propose(path) ?? null
}

/** Directories outside the project in which the session's changes are undone. */
export function agreedTo(project: Pick<Project, 'path'>): readonly string[] {
  return agreed.get(project)?.directories ?? []
}

/** Directories outside the project that were given to the agent with `--add-dir`. */
export function addedTo(project: Project): readonly string[] {
  return agreed.get(project)?.added ?? []
}

/** The same for a session without an open project; with a time, only those given by then. */
export function addedOutside(session: OpenSession, root: string, by?: number): string[] {
  const real = session.addedDirectories(by).map((path) => realPathOf(`${path}/.`))
  return [...new Set(real)].filter((path) => !isIn(root, path))
}

/** Stores the user's answer. Throws for a directory that may never be agreed to. */
export function rememberDirectory(machine: Machine, path: string, isYes: boolean): void {
  const directory = realPathOf(`${path}/.`)
  const why = isYes ? whyRefused(machine, directory) : null
  if (why !== null) throw why
  const { directories, declinedDirectories } = usableSettings(machine)
  const without = (list: readonly string[]): string[] => list.filter((each) => each !== directory)
  const set = (key: 'directories' | 'declinedDirectories', list: readonly string[]): void =>
    changeSetting(machine, key, list.length === 0 ? ['none'] : list)
  if (isYes) set('directories', [...without(directories), directory])
  else set('declinedDirectories', [...without(declinedDirectories), directory])
  if (isYes && declinedDirectories.includes(directory))
    set('declinedDirectories', without(declinedDirectories))
}

/** The file's repository, else its directory; null if neither may be agreed to. */
function directoryToAsk(machine: Machine, path: string): string | null {
  const around = [findRepository(dirname(path))?.top, dirname(path)]
  return around.find((each) => each !== undefined && whyRefused(machine, each) === null) ?? null
}
