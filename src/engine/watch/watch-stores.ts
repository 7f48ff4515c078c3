import { nameBytes } from '#disk'
import { Failure } from '#failure'
import { getOperation, operationStates, openStore, type Store } from '#store'
import { FOLLOW, listKnownProjects } from '../project/index.ts'
import type { Machine, MachineChange } from '../ground/index.ts'
import { reportOf } from '../history/index.ts'

interface StoresWatch extends Disposable {
  directories(): string[]
  poll(directories: ReadonlySet<string>): MachineChange[]
}

interface Watched {
  readonly key: string
  readonly path: string
  readonly store: Store
  states: ReadonlyMap<number, string>
}

/** Watch at most this many projects. Changes in the others show when they are next read. */
const MAX_STORES = 64

/**
 * Reports operations as any process commits them. The stores stay open: SQLite cleans up when the
 * last connection closes, and that alone would look like a change again and again.
 */
export function watchStores(machine: Machine): StoresWatch {
  const root = `${machine.places.data}/projects`
  const known = new Map<string, Watched>()

  const enter = (isStart: boolean): void => {
    const there = listKnownProjects(machine)
    const directories = new Set(there.map(({ key }) => `${root}/${key}`))
    for (const [directory, { store }] of known)
      if (!directories.has(directory)) {
        store.close()
        known.delete(directory)
      }
    for (const { key, path } of there) {
      const directory = `${root}/${key}`
      if (known.has(directory) || known.size >= MAX_STORES) continue
      const store = tryOpen(machine, path)
      if (store === null) continue
      known.set(directory, {
        key,
        path,
        store,
        states: isStart ? operationStates(store) : new Map<number, string>(),
      })
    }
  }
  enter(true)

  return {
    directories: () => [root, ...known.keys()],
    poll(directories) {
      const before = new Set(known.keys())
      if (directories.has(root)) enter(false)
      const polled = [...known].filter(
        ([directory]) => directories.has(directory) || !before.has(directory),
      )
      return polled.flatMap(([, watched]) => committedSince(watched))
    },
    [Symbol.dispose]() {
      for (const { store } of known.values()) store.close()
      known.clear()
    },
  }
}

function committedSince(watched: Watched): MachineChange[] {
  const { store, key, path: project, states: before } = watched
  try {
    watched.states = operationStates(store)
    return [...watched.states]
      .filter(([id, state]) => state === 'committed' && before.get(id) !== 'committed')
      .map(([id]): MachineChange => {
        const { verb, session } = getOperation(store, id)
        // A pending move was completed: no user's operation, but its session is at another turn
        // now.
        if (verb === FOLLOW) return { kind: 'session-updated', session: session! }
        return { kind: 'operation-applied', key, project, operation: reportOf(store, id) }
      })
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}

function tryOpen({ places: { data }, disk }: Machine, path: string): Store | null {
  const stat = disk.stat(nameBytes(path))
  if (stat?.kind !== 'directory') return null
  try {
    return openStore({ data, disk, root: { path, stat } })
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
