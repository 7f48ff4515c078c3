import { durableDisk, lstatPath } from '#disk'
import { closeProject, observe, openProject as openSnapshots, refuseScope } from '#snapshots'
import { lastObserved, latestLinks, noteObservation, write, type Sighting } from '#store'
import type { ProjectPath } from '#timeline'
import type { Machine } from './machine.ts'
import type { Project } from './open-project.ts'

/**
 * Looks at every file in scope and notes what differs since the last look. Whose change it was is
 * decided when somebody asks, with the transcripts and the spool as witnesses: at this moment the
 * agent has not written down yet what it is doing.
 */
export function observeProject(machine: Machine, project: Project): void {
  const { store, root } = project
  const stat = root.stat
  refuseScope({
    disk: durableDisk,
    root: { path: project.path, stat },
    home: machine.places.home,
    store: store.directory,
  })
  const snapshots = openSnapshots({
    store,
    root,
    globalExcludes: machine.places.gitExcludes,
    now: () => machine.now().getTime(),
  })
  try {
    write(store, () => {
      const since = lastObserved(store)
      const at = machine.now().getTime()
      const sticky = latestLinks(store).map(({ path }) => path)
      const { changed, madeDirectories } = observe(snapshots, { sticky })
      const sightings = [...changed].map(([path, { before, after, changedAt }]): Sighting => ({
        path,
        before,
        after,
        since: since ?? at,
        at,
        changedAt: changedAt ?? directoryChangedAt(project, path),
        madeDirectories: parentsOf(path).filter((parent) => madeDirectories.has(parent)),
      }))
      noteObservation(store, at, sightings)
    })
  } finally {
    closeProject(snapshots)
  }
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
