import { statPath, watchDirectory } from '#disk'
import { keepLater } from '../storage/index.ts'
import type { Machine, MachineChange } from '../ground/index.ts'
import { watchSessions } from './watch-sessions.ts'
import { watchStores } from './watch-stores.ts'

export interface MachineWatch extends Disposable {
  /** Processes all events so far, and checks every store. */
  poll(): void
}

/** Long enough to batch the rows of one answer, short enough not to be noticed. */
const QUIET = 60
const MAX_DELAY_MS = 300
/** Finds changes that caused no event. */
const POLL = 10_000
/** About as long as an agent takes to record an edit that it made. */
const AGAIN = 1000

export function watchMachine(
  machine: Machine,
  onChange: (change: MachineChange) => void,
): MachineWatch {
  const watches = new Map<string, Disposable>()
  const heard = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let since = 0
  let isStarted = false

  const flush = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const directories = new Set(heard)
    heard.clear()
    const changes = [...sessions.poll(directories), ...stores.poll(directories)]
    follow()
    for (const change of changes) {
      if (change.kind === 'session-created' || change.kind === 'session-updated')
        keep.add(change.session)
      onChange(change)
    }
  }
  const hear = (directory: string): void => {
    const now = performance.now()
    if (heard.size === 0) since = now
    heard.add(directory)
    if (timer !== null && now - since > MAX_DELAY_MS) return
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(flush, QUIET)
    timer.unref()
  }
  /** Directories come and go, and the watch of a recreated directory reports nothing any more. */
  const follow = (): void => {
    const keys = new Map(
      [...sessions.directories(), ...stores.directories()].map((path) => {
        const there = nearestThere(path)
        return [`${path}\0${there}\0${statPath(there)?.ino}`, { path, there }]
      }),
    )
    for (const [key, watch] of watches)
      if (!keys.has(key)) {
        watch[Symbol.dispose]()
        watches.delete(key)
      }
    for (const [key, { path, there }] of keys) {
      if (watches.has(key)) continue
      const watch = watchDirectory(there, () => hear(path))
      if (watch === null) continue
      watches.set(key, watch)
      // Writes between the last check and this watch caused no event.
      if (isStarted) hear(path)
    }
  }
  const scanAll = (): void => {
    for (const path of [...sessions.directories(), ...stores.directories()]) heard.add(path)
    flush()
  }

  const keep = keepLater(machine)
  const sessions = watchSessions(machine)
  const stores = watchStores(machine)
  follow()
  scanAll()
  isStarted = true
  const poll = setInterval(scanAll, POLL)
  poll.unref()
  const again = setInterval(() => {
    const unsettled = [...machine.unsettled]
    machine.unsettled.clear()
    for (const session of unsettled) onChange({ kind: 'session-updated', session })
  }, AGAIN)
  again.unref()
  return {
    poll() {
      // Events for this process's own latest writes may not have arrived yet.
      for (const path of stores.directories()) heard.add(path)
      flush()
    },
    [Symbol.dispose]() {
      if (timer !== null) clearTimeout(timer)
      clearInterval(poll)
      clearInterval(again)
      keep[Symbol.dispose]()
      for (const watch of watches.values()) watch[Symbol.dispose]()
      watches.clear()
      stores[Symbol.dispose]()
    },
  }
}

/**
 * The nearest existing parent: before the first session or operation, their directories do not
 * exist.
 */
function nearestThere(path: string): string {
  const parent = path.slice(0, path.lastIndexOf('/'))
  return parent === '' || statPath(path) !== null ? path : nearestThere(parent)
}
