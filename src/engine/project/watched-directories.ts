import type { AddedReading } from '#agents'
import { realPathOf, statPath, type PinnedRoot } from '#disk'
import { getSessionFact, latestLinks, putSessionFact, recordWatched } from '#store'
import type { ProjectPath } from '#timeline'
import { type Machine, ownDirectories, usableSettings } from '../ground/index.ts'
import { isIn, openAnnexes, usableDirectories } from './annexes.ts'
import type { Project } from './project.ts'

/** A directory outside the project whose files are scanned too. */
export interface Watched {
  readonly root: PinnedRoot
  /** Directories in it that are scanned separately or never, relative to it. */
  readonly without: readonly string[]
}

/**
 * Opens the directories outside the project that these sessions may change unseen: those given with
 * `--add-dir`, and agreed ones in which the project has changed a file before. Every directory ever
 * watched is remembered, so that each file belongs to one snapshot: the innermost.
 */
export function openWatched(
  machine: Machine,
  project: Project,
  sessions: Iterable<string>,
): readonly Watched[] {
  const added = [...sessions].flatMap((session) => addedOf(machine, project, session))
  const wanted = usableDirectories(machine, project, [...added, ...agreedHere(machine, project)])
  if (wanted.length === 0) return []
  const known = remember(project, wanted)
  const within = known.filter((path) => wanted.some((each) => isIn(each, path)))
  openAnnexes(machine, project, usableDirectories(machine, project, within))
  return project.root.annexes
    .filter(({ path }) => within.includes(path))
    .map((root) => ({
      root,
      without: [project.path, ...known, ...ownPlaces(machine)]
        .filter((path) => path !== root.path && isIn(root.path, path))
        .map((path) => path.slice(root.path.length + 1))
        .sort(),
    }))
}

/** Transcripts and Retake's own files change all the time and are never written as plain files. */
function ownPlaces(machine: Machine): string[] {
  return ownDirectories(machine).map((path) => realPathOf(`${path}/.`))
}

/** Whether a path is in an outside directory that is scanned for some session. */
export function isWatched(project: Project, path: ProjectPath): boolean {
  return known(project).some((directory) => isIn(directory, path))
}

/** Whether a path is in a scanned directory that no longer exists. */
export function isGoneOutside(project: Project, path: ProjectPath): boolean {
  const around = known(project).filter((directory) => isIn(directory, path))
  return around.length > 0 && around.every((directory) => statPath(directory) === null)
}

/** The user agreed to these directories for this project: scan them from now on. */
export function watchAlso(machine: Machine, project: Project, paths: readonly string[]): void {
  const usable = usableDirectories(machine, project, paths)
  if (usable.length > 0) remember(project, usable)
}

// Stands in for a session id: these facts belong to the project.
const PROJECT = '*'
const WATCHED = 'watched'

function known({ store }: Project): string[] {
  return (getSessionFact(store, PROJECT, WATCHED) ?? []) as string[]
}

function remember(project: Project, paths: readonly string[]): string[] {
  const before = known(project)
  const all = [...new Set([...before, ...paths])]
  if (all.length > before.length) {
    for (const path of all.slice(before.length)) recordWatched(project.store, path)
    putSessionFact(project.store, PROJECT, WATCHED, all)
  }
  return all
}

/**
 * Users agree for all projects, but a directory only concerns those that have changed files in it.
 */
function agreedHere(machine: Machine, project: Project): string[] {
  const { directories } = usableSettings(machine)
  if (directories.length === 0) return []
  const before = known(project)
  const linked = latestLinks(project.store).filter(({ path }) => path.startsWith('/'))
  return directories.filter(
    (directory) => before.includes(directory) || linked.some(({ path }) => isIn(directory, path)),
  )
}

const ADDED = 'added-directories'
const NOTHING: AddedReading = { transcript: null, end: 0, directories: [] }
/** Up to this many bytes are read again instead of storing the position at every hook. */
const UNNOTED = 256 * 1024

const read = new WeakMap<Project, Map<string, AddedReading>>()

function addedOf(machine: Machine, project: Project, session: string): readonly string[] {
  const { store } = project
  const mine = read.get(project) ?? new Map<string, AddedReading>()
  read.set(project, mine)
  const noted = (getSessionFact(store, session, ADDED) ?? NOTHING) as AddedReading
  const before = mine.get(session) ?? noted
  const now = machine.agents.reduce(
    (known, { sessions }) => sessions.addedSince(session, known),
    before,
  )
  mine.set(session, now)
  if (now.directories.length > noted.directories.length || now.end - noted.end > UNNOTED)
    putSessionFact(store, session, ADDED, now)
  return now.directories
}
