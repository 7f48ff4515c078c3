import {
  inodeOf,
  makePrivateDirectory,
  splitLast,
  watchDirectories,
  type Finding,
  type Heard,
} from '#disk'
import { savedByEditor } from './editor-names.ts'
import {
  tableScan,
  takeObservation,
  type Observation,
  type Project,
  type Request,
} from './observe.ts'
import type { Table } from './load-table.ts'

/**
 * A long-lived process's observations: what was heard is looked at, and all of it when something
 * may not have been heard. The result is that of a scan.
 */
export interface ProjectWatch extends Disposable {
  /** One after the other, however many ask. */
  observe(request?: Request): Promise<Observation>
}

// Writing through a mapped file, or by another name of it outside the project, makes no event.
const AUDIT = 10 * 60 * 1000

export function watchProject(
  project: Project,
  {
    audit = AUDIT,
    onChange = () => {},
  }: {
    /** How often, in ms, everything is looked at whatever was heard. */
    readonly audit?: number
    /** Something may have changed. Called for every event: wait for quiet before observing. */
    readonly onChange?: () => void
  } = {},
): ProjectWatch {
  const { store, root } = project
  const cookies = makePrivateDirectory(store.disk, store.directory, ['watch'])
  const watch = watchDirectories({ root: root.path, cookies, onEvent: onChange })
  /** The table whose directories are all listened to. */
  let followed: Table | null = null
  let last: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    watch.lose()
    onChange()
  }, audit)
  timer.unref()

  const observeNow = async (request: Request): Promise<Observation> => {
    const heard = await watch.take()
    using scan = tableScan(project)
    const find = (table: Table): Finding[] => {
      if (heard.kind === 'heard' && table === followed) {
        const found = [...heard.names].map(([path, names]): Finding => ({
          path,
          names: names === 'all' ? 'list-again' : [...names],
        }))
        return [...found, ...retries(table)]
      }
      // Listened to before they are looked at: what comes in between is heard.
      for (const [path, row] of table.rows) watch.enter(path, inodeOf(row))
      return scan.find(table)
    }
    try {
      const observation = takeObservation(
        project,
        withEditors(request, heard),
        { find, findAll: (table) => scan.find(table) },
        watch,
      )
      followed = project.table
      return observation
    } catch (error) {
      // What was heard is used up, and nobody has looked at it.
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

/** Reports which files editors saved. */
function withEditors(request: Request, heard: Heard): Request {
  const { note } = request
  if (note === undefined || heard.kind === 'lost') return request
  const isEditorSave = (path: string): boolean => {
    const { parent, name } = splitLast(path)
    const names = heard.names.get(parent)
    return names !== undefined && names !== 'all' && savedByEditor(names)(name)
  }
  return { ...request, note: (observation) => note({ ...observation, isEditorSave }) }
}

/** What a scan would look at again, or notice, though nothing was heard of it. */
function retries(table: Table): Finding[] {
  return [...table.leftOut]
    .filter(([, why]) => why === 'over-limit' || why === 'unreadable' || why === 'ignored')
    .map(([path]) => {
      const { parent, name } = splitLast(path)
      return { path: parent, names: [name] }
    })
}
