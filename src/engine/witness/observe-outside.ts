import { errnoOf, type PinnedRoot } from '#disk'
import { Failure } from '#failure'
import {
  closeProject,
  copyAllBorrowed,
  findRepository,
  forgetSnapshot,
  gitMovesSince,
  observe,
  openProject as openSnapshots,
  readGitPlace,
  type GitMove,
  type GitPlace,
  type Observation,
  type Project as SnapshotProject,
} from '#snapshots'
import {
  getSessionFact,
  latestLinks,
  noteGitMoves,
  noteSightings,
  putSessionFact,
  snapshotOf,
  type Store,
} from '#store'
import type { ProjectPath } from '#timeline'
import { usableSettings, type Machine } from '../ground/index.ts'
import { agreedTo, openWatched, type Project, type Watched } from '../project/index.ts'
import { isOfStash } from './git-changes.ts'
import { sightingsOf } from './sightings-of.ts'

/** The scans of a directory outside the project. */
export interface OutsideScan {
  /** When the first scan ended: changes before that were not seen. */
  readonly first: number
  /** When the last scan began. */
  readonly began: number
  readonly git: GitPlace | null
  readonly without: readonly string[]
}

// Stands in for a session id: these facts belong to the project.
const PROJECT = '*'
const nameOf = (directory: string): string => `look ${directory}`

/** Null if the directory was never scanned. */
export function lastOutsideScan(store: Store, directory: string): OutsideScan | null {
  return (getSessionFact(store, PROJECT, nameOf(directory)) ?? null) as OutsideScan | null
}

/** Whether Retake sees what commands do in an added directory. */
export function isScannedOutside(project: Project, directory: string): boolean {
  const isOpen = agreedTo(project).includes(directory)
  return isOpen && lastOutsideScan(project.store, directory) !== null
}

/**
 * Scans the directories outside the project that these sessions were given. Each has its own
 * snapshot, and its differences are recorded with absolute paths. A directory that cannot be
 * scanned never stops the project's scan: plans list it.
 */
export function observeOutside(
  machine: Machine,
  project: Project,
  sessions: Iterable<string>,
): void {
  const watched = tryTo(() => openWatched(machine, project, sessions)) ?? []
  for (const each of watched) tryTo(() => observeOne(machine, project, each))
}

function tryTo<T>(act: () => T): T | null {
  try {
    return act()
  } catch (error) {
    if (error instanceof Failure || errnoOf(error) !== undefined) return null
    throw error
  }
}

function observeOne(machine: Machine, { store, path }: Project, watched: Watched): void {
  const { root, without } = watched
  const common = findRepository(root.path)?.common
  // Worktrees of a repository share its stash: the project's own scan records it.
  const isOwn = ({ kind }: GitMove): boolean =>
    !isOfStash(kind) || common !== findRepository(path)?.common
  const last = lastOutsideScan(store, root.path)
  // Otherwise files that moved to another snapshot would count as deleted.
  if (last !== null && last.without.join('/') !== without.join('/'))
    forgetSnapshot(store, snapshotOf(root.path))
  const { include, maxFileSize } = usableSettings(machine)
  const began = machine.now().getTime()
  let lostGit = false
  const note = (observation: Observation): void => {
    const before = observation.isFirst ? null : lastOutsideScan(store, root.path)
    const at = machine.now().getTime()
    const since = before?.began ?? began
    const git = readGitPlace(root.path)
    const moves = before?.git ? gitMovesSince(root.path, before.git).filter(isOwn) : []
    lostGit = Boolean(before?.git) && git === null
    const inside = (path: ProjectPath): ProjectPath => `${root.path}/${path}` as ProjectPath
    noteSightings(
      store,
      sightingsOf(root.path, observation, { since, began, at }).map((sighting) => ({
        ...sighting,
        path: inside(sighting.path),
      })),
    )
    noteGitMoves(
      store,
      moves.map((move) => ({ since, seen: at, at: move.at, move: { ...move, root: root.path } })),
    )
    const scan: OutsideScan = { first: before?.first ?? at, began, git, without }
    putSessionFact(store, PROJECT, nameOf(root.path), scan)
  }
  const snapshots = openOutside(machine, store, root, without)
  try {
    observe(snapshots, {
      sticky: latestLinks(store).flatMap(({ path }) =>
        path.startsWith(`${root.path}/`) ? [path.slice(root.path.length + 1) as ProjectPath] : [],
      ),
      include,
      limits: { file: maxFileSize },
      note,
    })
    if (lostGit) copyAllBorrowed(snapshots)
  } finally {
    closeProject(snapshots)
  }
}

/** The snapshots of all open directories outside the project that were ever scanned. */
export function snapshotsOutside(
  machine: Machine,
  { store, root: { annexes } }: Project,
): (() => SnapshotProject)[] {
  return annexes.flatMap((root) => {
    const last = lastOutsideScan(store, root.path)
    return last === null ? [] : [() => openOutside(machine, store, root, last.without)]
  })
}

function openOutside(
  machine: Machine,
  store: Store,
  root: PinnedRoot,
  without: readonly string[],
): SnapshotProject {
  return openSnapshots({ store, root, outside: { without }, ...scanningOutside(machine) })
}

/** The machine's settings for scans. */
export function scanningOutside(
  machine: Machine,
): Pick<SnapshotProject, 'globalExcludes' | 'gitSettings' | 'now'> {
  const { home, git } = machine.places
  const { excludes, configs, attributes } = git
  return {
    globalExcludes: excludes,
    gitSettings: { configs: [...configs], attributes: [...attributes], home },
    now: () => machine.now().getTime(),
  }
}
