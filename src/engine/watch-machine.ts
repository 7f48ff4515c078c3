import { statPath, watchDirectory } from '#disk'
import type { MachineChange } from './machine-change.ts'
import type { Machine } from './machine.ts'
import { watchSessions } from './watch-sessions.ts'
import { watchStores } from './watch-stores.ts'

export interface MachineWatch extends Disposable {
  /** Looks now at all that was heard of. */
  look(): void
}

/** Long enough for the rows of one answer, short enough not to be noticed. */
const QUIET = 60
const LONGEST_WAIT = 300
/** Finds what no event told of. */
const POLL = 10_000

export function watchMachine(
  machine: Machine,
  onChange: (change: MachineChange) => void,
): MachineWatch {
  const watches = new Map<string, Disposable>()
  const heard = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let since = 0

  const flush = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const directories = new Set(heard)
    heard.clear()
    const changes = [...sessions.look(directories), ...stores.look(directories)]
    follow()
    for (const change of changes) onChange(change)
  }
  const hear = (directory: string): void => {
    const now = performance.now()
    if (heard.size === 0) since = now
    heard.add(directory)
    if (timer !== null && now - since > LONGEST_WAIT) return
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(flush, QUIET)
    timer.unref()
  }
  /** Directories come and go; a watch of one that was made anew hears nothing any more. */
  const follow = (): void => {
    const wanted = [...sessions.directories(), ...stores.directories()]
    const keys = new Map(wanted.map((path) => [`${path}\0${statPath(path)?.ino ?? ''}`, path]))
    for (const [key, watch] of watches)
      if (!keys.has(key)) {
        watch[Symbol.dispose]()
        watches.delete(key)
      }
    for (const [key, path] of keys) {
      if (watches.has(key)) continue
      const watch = watchDirectory(path, () => hear(path))
      if (watch !== null) watches.set(key, watch)
    }
  }

  const sessions = watchSessions(machine.places.claudeConfig)
  const stores = watchStores(machine)
  follow()
  const poll = setInterval(() => {
    for (const path of [...sessions.directories(), ...stores.directories()]) heard.add(path)
    flush()
  }, POLL)
  poll.unref()
  return {
    look: flush,
    [Symbol.dispose]() {
      if (timer !== null) clearTimeout(timer)
      clearInterval(poll)
      for (const watch of watches.values()) watch[Symbol.dispose]()
      watches.clear()
      stores[Symbol.dispose]()
    },
  }
}
