import { durableDisk, lstatPath } from '#disk'
import {
  closeProject,
  copyBorrowed,
  observe,
  openProject as openSnapshots,
  refuseScope,
  type Project as SnapshotProject,
} from '#snapshots'
import {
  hasContent,
  lastObserved,
  latestLinks,
  noteObservation,
  write,
  type Sighting,
} from '#store'
import type { ProjectPath, Value } from '#timeline'
import type { Machine } from './machine.ts'
import type { Project } from './open-project.ts'
import { isFull } from './quota.ts'
import { settingsForLooking } from './settings-file.ts'

/**
 * Looks at every file in scope and notes what differs since the last look. Whose change it was is
 * decided when somebody asks, with the transcripts and the spool as witnesses: at this moment the
 * agent has not written down yet what it is doing. When the quota is used up nothing is looked at,
 * and plans and status say so.
 */
export function observeProject(machine: Machine, project: Project): void {
  const { store, root } = project
  if (isFull(machine)) return
  const stat = root.stat
  refuseScope({
    disk: durableDisk,
    root: { path: project.path, stat },
    home: machine.places.home,
    store: store.directory,
  })
  withSnapshots(machine, project, (snapshots) => {
    // The first look takes long and sees no difference: nobody else has to wait for it.
    if (lastObserved(store) === null) lookOnce(machine, project, snapshots)
    else write(store, () => lookOnce(machine, project, snapshots))
  })
}

/**
 * Copies what is only lent by git into the store: what a turn left is the base of a later merge,
 * and git may not have it any more by then (sem.K3).
 */
export function copyFromGit(machine: Machine, project: Project, values: Iterable<Value>): void {
  const lent = [...values].flatMap((value) =>
    value.kind === 'file' && !hasContent(project.store, value.content) ? [value.content] : [],
  )
  if (lent.length === 0) return
  withSnapshots(machine, project, (snapshots) => copyBorrowed(snapshots, lent))
}

function withSnapshots(
  machine: Machine,
  { store, root }: Project,
  use: (snapshots: SnapshotProject) => void,
): void {
  const { excludes, configs, attributes } = machine.places.git
  const snapshots = openSnapshots({
    store,
    root,
    globalExcludes: excludes,
    gitSettings: { configs: [...configs], attributes: [...attributes] },
    now: () => machine.now().getTime(),
  })
  try {
    use(snapshots)
  } finally {
    closeProject(snapshots)
  }
}

/** The look and what it saw are kept together: a difference that is not noted is seen by nobody. */
function lookOnce(machine: Machine, project: Project, snapshots: SnapshotProject): void {
  const { store } = project
  const at = machine.now().getTime()
  const since = lastObserved(store) ?? at
  const { include, maxFileSize } = settingsForLooking(machine)
  const sticky = latestLinks(store).map(({ path }) => path)
  const { changed, madeDirectories } = observe(snapshots, {
    sticky,
    include,
    limits: { file: maxFileSize },
  })
  const sightings = [...changed].map(([path, { before, after, changedAt }]): Sighting => ({
    path,
    before,
    after,
    since,
    at,
    changedAt: changedAt ?? directoryChangedAt(project, path),
    madeDirectories: parentsOf(path).filter((parent) => madeDirectories.has(parent)),
  }))
  noteObservation(store, at, sightings)
}

/** A file that is gone has no time any more; the directory it went from has. */
function directoryChangedAt({ path: root }: Project, path: ProjectPath): number | null {
  const parent = parentsOf(path).at(-1)
  const stat = lstatPath(parent === undefined ? root : `${root}/${parent}`)
  return stat === null ? null : Number(stat.mtimeNs) / 1e6
}

function parentsOf(path: ProjectPath): ProjectPath[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, depth) => parts.slice(0, depth + 1).join('/') as ProjectPath)
}
