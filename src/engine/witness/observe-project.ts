import { nameBytes } from '#disk'
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
import { hasContent, lastScan, latestLinks, noteGitMoves, noteScan } from '#store'
import type { ContentId, Value } from '#timeline'
import { isFull, usableSettings, type Machine } from '../ground/index.ts'
import type { Project } from '../project/index.ts'
import { noteEditorSaves } from './editor-saves.ts'
import { takeNestedMoves } from './nested-git.ts'
import { scanningOutside, observeOutside, snapshotsOutside } from './observe-outside.ts'
import { sightingsOf } from './sightings-of.ts'

/**
 * Scans every file in scope and records what changed since the last scan. The authors are
 * determined later, from the transcripts and the spool: the agent has not recorded its current step
 * yet. If the quota is used up, nothing is scanned, and plans and status say so.
 */
export function observeProject(
  machine: Machine,
  project: Project,
  /** Their added directories are scanned too. */
  sessions: Iterable<string> = [],
): void {
  if (isFull(machine)) return
  refuseProject(machine, project)
  observeOutside(machine, project, sessions)
  const snapshots = openSnapshotsOf(machine, project)
  try {
    const scan = requestFor(machine, project)
    observe(snapshots, scan.request)
    if (scan.lostGit()) copyAllBorrowed(snapshots)
  } finally {
    closeProject(snapshots)
  }
}

/** Scans one project in a long-lived process: the cost depends on what changed, not on its size. */
export interface ProjectObserver extends Disposable {
  /**
   * Resolves once all changes up to now are recorded. If there are none, calls `onUnchanged` as
   * soon as that is known, before the scan itself is recorded.
   */
  observe(onUnchanged?: () => void): Promise<void>
}

/**
 * Watches a project's directories. The owner calls `observe` when a hook reports a step and when
 * files change. It records what `observeProject` would record.
 */
export function watchProject(
  machine: Machine,
  project: Project,
  options: {
    /** Their added directories are scanned too, but not watched. */
    readonly sessions?: () => Iterable<string>
    /** Something may have changed. Called for every event: debounce before observing. */
    readonly onChange?: () => void
  } = {},
): ProjectObserver {
  refuseProject(machine, project)
  const snapshots = openSnapshotsOf(machine, project)
  const watch = watchSnapshots(snapshots, options)
  return {
    async observe(onUnchanged) {
      if (isFull(machine)) return
      // First, because a waiting hook returns as soon as the project's own files are scanned.
      observeOutside(machine, project, options.sessions?.() ?? [])
      const scan = requestFor(machine, project, onUnchanged)
      await watch.observe(scan.request)
      if (scan.lostGit()) copyAllBorrowed(snapshots)
    },
    [Symbol.dispose]() {
      watch[Symbol.dispose]()
      closeProject(snapshots)
    },
  }
}

/**
 * Copies contents that only git has into the store: what a turn left is the base of a later merge,
 * and git may have lost it by then (sem.K3). Returns what git has already lost.
 */
export function copyFromGit(
  machine: Machine,
  project: Project,
  values: Iterable<Value>,
): ReadonlySet<ContentId> {
  const borrowed = [...values].flatMap((value) =>
    value.kind === 'file' && !hasContent(project.store, value.content) ? [value.content] : [],
  )
  let missing: readonly ContentId[] = borrowed
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

/** The project's own snapshot comes first. */
function allSnapshots(machine: Machine, project: Project): (() => SnapshotProject)[] {
  return [() => openSnapshotsOf(machine, project), ...snapshotsOutside(machine, project)]
}

/**
 * Copies contents that only git has before a turn can delete them (sem.K3): all of a small
 * repository, but a large one only before a step that may touch git itself.
 */
export function copyBorrowedEarly(machine: Machine, project: Project, size: 'small' | 'any'): void {
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

/**
 * Why `observeProject` would refuse a directory; null if it would not, or the directory is gone.
 */
export function whyNeverScanned({ places, disk }: Machine, path: string): string | null {
  const stat = disk.stat(nameBytes(path))
  if (stat === null) return null
  const { home, data: store } = places
  try {
    refuseScope({ disk, root: { path, stat }, home, store })
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

function refuseProject(machine: Machine, { store, root, path }: Project): void {
  refuseScope({
    disk: machine.disk,
    root: { path, stat: root.stat },
    home: machine.places.home,
    store: store.directory,
  })
}

function openSnapshotsOf(machine: Machine, { store, root }: Project): SnapshotProject {
  return openSnapshots({ store, root, ...scanningOutside(machine) })
}

/**
 * The request for a scan. Its differences and the scan itself are recorded together or not at all.
 */
function requestFor(
  machine: Machine,
  project: Project,
  onUnchanged?: () => void,
): {
  readonly request: Request
  /** Whether git is gone since the last scan. Its contents can still be copied from the files. */
  lostGit(): boolean
} {
  const { store } = project
  const { include, maxFileSize } = usableSettings(machine)
  const began = machine.now().getTime()
  let lostGit = false
  const request: Request = {
    // Files outside the project are not part of its tree.
    sticky: latestLinks(store)
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('/')),
    include,
    limits: { file: maxFileSize },
    note(observation) {
      const last = lastScan(store)
      const at = machine.now().getTime()
      const times = { since: last?.began ?? began, began, at }
      const git = readGitPlace(project.path)
      const place = last?.git as GitPlace | null | undefined
      const moves = [
        ...(place ? gitMovesSince(project.path, place) : []),
        ...takeNestedMoves(store, project.path, observation.notCaptured, last?.began ?? null),
      ]
      lostGit = Boolean(place) && git === null
      const sightings = sightingsOf(project.path, observation, times)
      if (sightings.length === 0 && moves.length === 0 && !observation.isFirst) onUnchanged?.()
      noteScan(store, { began, at, git }, sightings)
      noteEditorSaves(store, sightings, observation)
      noteGitMoves(
        store,
        moves.map((move) => ({ since: times.since, seen: at, at: move.at, move })),
      )
    },
  }
  return { request, lostGit: () => lostGit }
}
