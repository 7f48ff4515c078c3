import { durableDisk, nameBytes } from '#disk'
import { Failure } from '#failure'
import {
  closeProject,
  copyAllBorrowed,
  copyBorrowed,
  copySmallRepository,
  gitMovesSince,
  observe,
  openProject as openSnapshots,
  readGitPlace,
  refuseScope,
  watchProject as watchSnapshots,
  type GitPlace,
  type Project as SnapshotProject,
  type Request,
} from '#snapshots'
import { hasContent, lastLook, latestLinks, noteGitMoves, noteLook } from '#store'
import type { ContentId, Value } from '#timeline'
import { isFull, settingsForLooking, type Machine } from '../ground/index.ts'
import type { Project } from '../project/index.ts'
import { noteEditorSaves } from './editor-saves.ts'
import { lookingOn, observeOutside, snapshotsOutside } from './observe-outside.ts'
import { sightingsOf } from './sightings-of.ts'

/**
 * Looks at every file in scope and notes what differs since the last look. Whose change it was is
 * decided when somebody asks, with the transcripts and the spool as witnesses: at this moment the
 * agent has not written down yet what it is doing. When the quota is used up nothing is looked at,
 * and plans and status say so.
 */
export function observeProject(
  machine: Machine,
  project: Project,
  /** Whose added directories are looked at too. */
  sessions: Iterable<string> = [],
): void {
  if (isFull(machine)) return
  refuseProject(machine, project)
  observeOutside(machine, project, sessions)
  const snapshots = openSnapshotsOf(machine, project)
  try {
    const look = requestFor(machine, project)
    observe(snapshots, look.request)
    if (look.lostGit()) copyAllBorrowed(snapshots)
  } finally {
    closeProject(snapshots)
  }
}

/** A long-lived process's looks at one project: each costs what changed, not what exists. */
export interface ProjectObserver extends Disposable {
  /**
   * What has happened to the files until now is noted when this is fulfilled. Where nothing has,
   * `onUnchanged` is called as soon as that is seen: only that somebody looked is left to be noted.
   */
  observe(onUnchanged?: () => void): Promise<void>
}

/**
 * Listens to a project's directories. Whoever holds it looks when a hook tells of a step and when
 * the files were changed; what is noted is what `observeProject` would note.
 */
export function watchProject(
  machine: Machine,
  project: Project,
  options: {
    /** Whose added directories are looked at too. They are not listened to. */
    readonly sessions?: () => Iterable<string>
    /** Something may have changed. Called for every event: wait for quiet before observing. */
    readonly onChange?: () => void
  } = {},
): ProjectObserver {
  refuseProject(machine, project)
  const snapshots = openSnapshotsOf(machine, project)
  const watch = watchSnapshots(snapshots, options)
  return {
    async observe(onUnchanged) {
      if (isFull(machine)) return
      // First: a waiting hook gets its answer as soon as the project's own files are seen.
      observeOutside(machine, project, options.sessions?.() ?? [])
      const look = requestFor(machine, project, onUnchanged)
      await watch.observe(look.request)
      if (look.lostGit()) copyAllBorrowed(snapshots)
    },
    [Symbol.dispose]() {
      watch[Symbol.dispose]()
      closeProject(snapshots)
    },
  }
}

/**
 * Copies what is only lent by git into the store: what a turn left is the base of a later merge,
 * and git may not have it any more by then (sem.K3). Returns what git has lost already.
 */
export function copyFromGit(
  machine: Machine,
  project: Project,
  values: Iterable<Value>,
): ReadonlySet<ContentId> {
  const lent = [...values].flatMap((value) =>
    value.kind === 'file' && !hasContent(project.store, value.content) ? [value.content] : [],
  )
  let missing: readonly ContentId[] = lent
  for (const open of missing.length === 0 ? [] : allSnapshots(machine, project)) {
    if (missing.length === 0) break
    const snapshots = open()
    try {
      missing = copyBorrowed(snapshots, missing).missing
    } finally {
      closeProject(snapshots)
    }
  }
  return new Set(missing)
}

/** The project's own snapshot first. */
function allSnapshots(machine: Machine, project: Project): (() => SnapshotProject)[] {
  return [() => openSnapshotsOf(machine, project), ...snapshotsOutside(machine, project)]
}

/**
 * Copies what is lent before a turn can take it away (sem.K3): of a small repository all, of a
 * large one only if a step is about to run that may touch git itself.
 */
export function copyLent(machine: Machine, project: Project, size: 'small' | 'any'): void {
  if (isFull(machine)) return
  for (const open of allSnapshots(machine, project)) {
    const snapshots = open()
    try {
      if (size === 'any') copyAllBorrowed(snapshots)
      else copySmallRepository(snapshots)
    } finally {
      closeProject(snapshots)
    }
  }
}

/** What `observeProject` would refuse a directory for; null when it would not, or it is gone. */
export function whyNeverLookedAt({ places }: Machine, path: string): string | null {
  const stat = durableDisk.stat(nameBytes(path))
  if (stat === null) return null
  const { home, data: store } = places
  try {
    refuseScope({ disk: durableDisk, root: { path, stat }, home, store })
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

function refuseProject(machine: Machine, { store, root, path }: Project): void {
  refuseScope({
    disk: durableDisk,
    root: { path, stat: root.stat },
    home: machine.places.home,
    store: store.directory,
  })
}

function openSnapshotsOf(machine: Machine, { store, root }: Project): SnapshotProject {
  return openSnapshots({ store, root, ...lookingOn(machine) })
}

/** What is looked at, and that a difference is noted with the look that saw it, or by nobody. */
function requestFor(
  machine: Machine,
  project: Project,
  onUnchanged?: () => void,
): {
  readonly request: Request
  /** Git was there at the last look. What it lent can still be copied from the files. */
  lostGit(): boolean
} {
  const { store } = project
  const { include, maxFileSize } = settingsForLooking(machine)
  const began = machine.now().getTime()
  let lostGit = false
  const request: Request = {
    // Files outside of the project are no part of its tree.
    sticky: latestLinks(store)
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('/')),
    include,
    limits: { file: maxFileSize },
    note(observation) {
      const last = lastLook(store)
      const at = machine.now().getTime()
      const times = { since: last?.began ?? began, began, at }
      const git = readGitPlace(project.path)
      const place = last?.git as GitPlace | null | undefined
      const moves = place ? gitMovesSince(project.path, place) : []
      lostGit = Boolean(place) && git === null
      const sightings = sightingsOf(project.path, observation, times)
      if (sightings.length === 0 && moves.length === 0 && !observation.isFirst) onUnchanged?.()
      noteLook(store, { began, at, git }, sightings)
      noteEditorSaves(store, sightings, observation)
      noteGitMoves(
        store,
        moves.map((move) => ({ since: times.since, seen: at, at: move.at, move })),
      )
    },
  }
  return { request, lostGit: () => lostGit }
}
