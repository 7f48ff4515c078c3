import { dirname, normalize } from 'node:path'
import { claudeCode, type OpenSession } from '#agents'
import { durableDisk, nameBytes, pinRoot, realPathOf } from '#disk'
import { Failure } from '#failure'
import { findRepository, refuseScope } from '#snapshots'
import { getSessionFact, putSessionFact, write } from '#store'
import type { ProjectPath } from '#timeline'
import { changeSetting, settingsForLooking, type Machine } from '../ground/index.ts'
import type { Project } from './project.ts'

/**
 * Directories outside of a project in which the agent's recorded edits are undone too (sem.A9): those
 * that the user agreed to, and those given to the agent with `--add-dir`. A file in one of them is
 * named by its absolute path.
 */
interface Agreed {
  readonly directories: readonly string[]
  /** Those of them that only `--add-dir` names. */
  readonly added: readonly string[]
  /** What to ask the user about a path; null when nothing may be asked, or the answer was no. */
  readonly propose: (path: string) => string | null
}

const agreed = new WeakMap<Project, Agreed>()

/** Finds out what is agreed to for a session, and opens these directories. */
export function openAgreed(
  machine: Machine,
  project: Project,
  session: OpenSession,
  also: readonly string[] = [],
): void {
  const { directories, declinedDirectories } = settingsForLooking(machine)
  const usable = (paths: readonly string[]): string[] =>
    [...new Set(paths.map((path) => realPathOf(`${path}/.`)))].filter(
      (path) => whyRefused(machine, path) === null && !isIn(project.path, path),
    )
  const added = usable(claudeCode.addedDirectories(session))
  const found = [...new Set([...usable([...directories, ...also]), ...added])]
  openAnnexes(machine, project, found)
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

/** The absolute path of a file in an agreed directory; null for any other file. */
export function outsidePath(project: Project, path: string): ProjectPath | null {
  if (!path.startsWith('/') || path.includes('\0')) return null
  const real = realOf(path)
  return isAgreed(project, real as ProjectPath) ? (real as ProjectPath) : null
}

/** True of every path in the project. */
export function isAgreed(project: Project, path: ProjectPath): boolean {
  if (!path.startsWith('/')) return true
  return agreed.get(project)?.directories.some((directory) => isIn(directory, path)) ?? false
}

export function directoryToAgree(project: Project, path: string): string | null {
  return agreed.get(project)?.propose(path) ?? null
}

/** Directories outside of the project that `--add-dir` gave to the agent. */
export function addedTo(project: Project): readonly string[] {
  return agreed.get(project)?.added ?? []
}

/** The same of a session, for which no project is open. */
export function addedOutside(session: OpenSession, root: string): string[] {
  const real = claudeCode.addedDirectories(session).map((path) => realPathOf(`${path}/.`))
  return [...new Set(real)].filter((path) => !isIn(root, path))
}

/** Remembers the answer. A directory that may never be agreed to is refused. */
export function rememberDirectory(machine: Machine, path: string, isYes: boolean): void {
  const directory = realPathOf(`${path}/.`)
  const why = isYes ? whyRefused(machine, directory) : null
  if (why !== null) throw why
  const { directories, declinedDirectories } = settingsForLooking(machine)
  const without = (list: readonly string[]): string[] => list.filter((each) => each !== directory)
  const set = (key: 'directories' | 'declinedDirectories', list: readonly string[]): void =>
    changeSetting(machine, key, list.length === 0 ? ['none'] : list)
  if (isYes) set('directories', [...without(directories), directory])
  else set('declinedDirectories', [...without(declinedDirectories), directory])
  if (isYes && declinedDirectories.includes(directory))
    set('declinedDirectories', without(declinedDirectories))
}

// Facts of the project itself.
const PROJECT = '*'
const FACT = 'annexes'

/** Operations may have written there: after a crash they are taken back, agreed to or not. */
export function openRecordedAnnexes(machine: Machine, project: Project): void {
  const recorded = (getSessionFact(project.store, PROJECT, FACT) ?? []) as string[]
  openAnnexes(machine, project, recorded)
}

function openAnnexes(machine: Machine, project: Project, directories: readonly string[]): void {
  const { root, store } = project
  const open = new Set(root.annexes.map(({ path }) => path))
  const missing = directories.filter((path) => !open.has(path))
  for (const path of missing) {
    if (durableDisk.stat(nameBytes(path))?.kind !== 'directory') continue
    root.annexes.push(pinRoot(durableDisk, path, { never: neverEntered(machine, project) }))
  }
  const recorded = (getSessionFact(store, PROJECT, FACT) ?? []) as string[]
  const fresh = missing.filter((path) => !recorded.includes(path))
  if (fresh.length > 0)
    write(store, () => putSessionFact(store, PROJECT, FACT, [...recorded, ...fresh]))
}

/** The project has its own way in; transcripts and Retake's files are never written as files. */
function neverEntered({ places }: Machine, { root, store }: Project) {
  const { claudeConfig, data, config, cache, state } = places
  const own = [claudeConfig, data, config, cache, state].flatMap(
    (path) => durableDisk.stat(nameBytes(`${path}/.`)) ?? [],
  )
  return [root.stat, store.identity, ...own]
}

/** The repository around the file, else its directory; null when neither may be agreed to. */
function directoryToAsk(machine: Machine, path: string): string | null {
  const around = [findRepository(dirname(path))?.top, dirname(path)]
  return around.find((each) => each !== undefined && whyRefused(machine, each) === null) ?? null
}

/** Directories of the system, with everything below them. */
const SYSTEM =
  /^\/(?:bin|boot|dev|etc|lib\w*|proc|run|sbin|sys|usr|var|System|Library|Applications|private\/(?:etc|var))(?:\/|$)/

/** Never a home directory or what contains it, a directory of the system, Retake's or the agent's. */
function whyRefused({ places }: Machine, path: string): Failure | null {
  const refused = (why: string): Failure =>
    new Failure('scope-refused', `${path} ${why}.`, { hint: 'Name the directory of one project.' })
  const stat = durableDisk.stat(nameBytes(path))
  if (stat?.kind !== 'directory') return refused('is not a directory')
  if (path.lastIndexOf('/') === 0 || SYSTEM.test(path)) return refused('belongs to the system')
  const { claudeConfig, data, config, cache, state } = places
  if ([claudeConfig, data, config, cache, state].some((own) => isIn(own, path)))
    return refused('belongs to Retake or Claude Code')
  try {
    refuseScope({ disk: durableDisk, root: { path, stat }, home: places.home, store: data })
    return null
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

function realOf(path: string): string {
  return realPathOf(normalize(path).replace(/(?!^)\/$/u, ''))
}

function isIn(directory: string, path: string): boolean {
  return path === directory || path.startsWith(`${directory}/`)
}
