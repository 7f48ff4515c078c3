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
import { settingsForLooking, type Machine } from '../ground/index.ts'
import { agreedTo, openWatched, type Project, type Watched } from '../project/index.ts'
import { sightingsOf } from './sightings-of.ts'

/** What is known of the looks at a directory outside of the project. */
export interface LookOutside {
  /** When the first look was over: what happened before was not seen. */
  readonly first: number
  /** When the last one began. */
  readonly began: number
  readonly git: GitPlace | null
  readonly without: readonly string[]
}

// Facts of the project itself.
const PROJECT = '*'
const nameOf = (directory: string): string => `look ${directory}`

/** Null for a directory that was never looked at. */
export function lastLookOutside(store: Store, directory: string): LookOutside | null {
  return (getSessionFact(store, PROJECT, nameOf(directory)) ?? null) as LookOutside | null
}

/** Whether what commands do in an added directory is seen. */
export function isLookedAtOutside(project: Project, directory: string): boolean {
  const isOpen = agreedTo(project).includes(directory)
  return isOpen && lastLookOutside(project.store, directory) !== null
}

/**
 * Looks at the directories that these sessions were given outside of the project. Each has a
 * snapshot of its own; what differs is noted with absolute paths. A directory that cannot be looked
 * at never stops the look at the project: plans name it.
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
  // Worktrees of one repository share its stash: the look at the project notes it.
  const isOwn = ({ kind }: GitMove): boolean =>
    kind !== 'stash' || common !== findRepository(path)?.common
  const last = lastLookOutside(store, root.path)
  // Files that moved to another snapshot would pass for deleted.
  if (last !== null && last.without.join('/') !== without.join('/'))
    forgetSnapshot(store, snapshotOf(root.path))
  const { include, maxFileSize } = settingsForLooking(machine)
  const began = machine.now().getTime()
  let lostGit = false
  const note = (observation: Observation): void => {
    const before = observation.isFirst ? null : lastLookOutside(store, root.path)
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
    const look: LookOutside = { first: before?.first ?? at, began, git, without }
    putSessionFact(store, PROJECT, nameOf(root.path), look)
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

/** The snapshots of all open directories outside that were ever looked at. */
export function snapshotsOutside(
  machine: Machine,
  { store, root: { annexes } }: Project,
): (() => SnapshotProject)[] {
  return annexes.flatMap((root) => {
    const last = lastLookOutside(store, root.path)
    return last === null ? [] : [() => openOutside(machine, store, root, last.without)]
  })
}

function openOutside(
  machine: Machine,
  store: Store,
  root: PinnedRoot,
  without: readonly string[],
): SnapshotProject {
  return openSnapshots({ store, root, outside: { without }, ...lookingOn(machine) })
}

/** How a machine's files are looked at. */
export function lookingOn(
  machine: Machine,
): Pick<SnapshotProject, 'globalExcludes' | 'gitSettings' | 'now'> {
  const { excludes, configs, attributes } = machine.places.git
  return {
    globalExcludes: excludes,
    gitSettings: { configs: [...configs], attributes: [...attributes] },
    now: () => machine.now().getTime(),
  }
}
