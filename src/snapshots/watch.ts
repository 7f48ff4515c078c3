import {
  fileSystemOf,
  inodeOf,
  makePrivateDirectory,
  splitLast,
  watchDirectories,
  withSmallHeap,
  type Finding,
  type WatchedNames,
} from '#disk'
import { savedByEditor } from './editor-names.ts'
import {
  tableScan,
  closeProject,
  takeObservation,
  type Observation,
  type Project,
  type Request,
} from './observe.ts'
import type { Table } from './load-table.ts'
import { storedGeneration } from '#store'

/**
 * Observations in a long-lived process. Scans only paths with events, and everything if events may
 * be lost. The result equals that of a full scan.
 */
export interface ProjectWatch extends Disposable {
  /** Calls run one after the other. */
  observe(request?: Request): Promise<Observation>
}

// Writes through a memory map, or through a hard link outside the project, raise no event.
const AUDIT_INTERVAL = 10 * 60 * 1000

export function watchProject(
  project: Project,
  {
    audit = AUDIT_INTERVAL,
    onChange = () => {},
  }: {
    /** The interval of full scans, in ms. */
    readonly audit?: number
    /** Something may have changed. Called for every event: debounce before observing. */
    readonly onChange?: () => void
  } = {},
): ProjectWatch {
  const { store, root } = project
  const cookies = makePrivateDirectory(store.disk, store.directory, ['watch'])
  const { isLocal } = fileSystemOf(root.disk, root.path)
  const watch = watchDirectories({
    root: root.path,
    cookies,
    isTrusted: isLocal,
    onEvent: onChange,
  })
  /** The table whose directories are all watched. */
  let followed: Table | null = null
  let last: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    watch.lose()
    onChange()
  }, audit)
  timer.unref()

  const observeNow = async (request: Request): Promise<Observation> => {
    const heard = await watch.take()
    using scan = tableScan(project, false)
    const find = (table: Table): Finding[] => {
      if (heard.kind === 'heard' && table === followed) {
        const found = [...heard.names].map(([path, names]): Finding => ({
          path,
          names: names === 'all' ? 'list-again' : [...names],
        }))
        return [...found, ...retries(table)]
      }
      return watchAndScan(table)
    }
    // Watch before scanning, so that a change in between raises an event.
    const watchAndScan = (table: Table): Finding[] => {
      for (const [path, row] of table.rows) watch.enter(path, inodeOf(row))
      return scan.find(table)
    }
    const finder = { threads: false, find, findAll: (table: Table) => scan.find(table) }
    try {
      return withSmallHeap(() => {
        const now = withEditors(request, heard)
        if (storedGeneration(project.store, project.of) > 0) {
          const observation = takeObservation(project, now, finder, watch)
          followed = project.table
          return observation
        }
        // The first scan needs half the memory if nothing listens to it. A second one starts to
        // listen, and records what changed meanwhile.
        const first = takeObservation(project, now, finder)
        const missed = watchAndScan(project.table!)
        const finding = { ...finder, find: () => missed }
        if (missed.length > 0) takeObservation(project, ifDifferent(now), finding, watch)
        followed = project.table
        // The paths and objects of git were needed for every file; later scans open what they need.
        project.tracked = null
        closeProject(project)
        return first
      })
    } catch (error) {
      // The events were consumed but not processed: scan everything next time.
      watch.lose()
      throw error
    }
  }
  return {
    observe(request = {}) {
      const next = last.then(() => observeNow(request))
      last = next.catch(() => {})
      return next
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      watch[Symbol.dispose]()
    },
  }
}

/** Records no second scan if files were only read again because their times prove nothing. */
function ifDifferent(request: Request): Request {
  const { note } = request
  if (note === undefined) return request
  const isDifferent = (seen: Observation): boolean =>
    [seen.changed, seen.entered, seen.madeDirectories, seen.goneDirectories].some(
      ({ size }) => size > 0,
    )
  return { ...request, note: (seen) => (isDifferent(seen) ? note(seen) : undefined) }
}

/** Reports which files editors saved. */
function withEditors(request: Request, heard: WatchedNames): Request {
  const { note } = request
  if (note === undefined || heard.kind === 'lost') return request
  const isEditorSave = (path: string): boolean => {
    const { parent, name } = splitLast(path)
    const names = heard.names.get(parent)
    return names !== undefined && names !== 'all' && savedByEditor(names)(name)
  }
  return { ...request, note: (observation) => note({ ...observation, isEditorSave }) }
}

/** Left-out paths that a full scan would check again, although they raised no event. */
function retries(table: Table): Finding[] {
  return [...table.leftOut]
    .filter(([, why]) => why === 'over-limit' || why === 'unreadable' || why === 'ignored')
    .map(([path]) => {
      const { parent, name } = splitLast(path)
      return { path: parent, names: [name] }
    })
}
