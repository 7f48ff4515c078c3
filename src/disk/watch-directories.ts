import { unlinkSync, watch, writeFileSync, type FSWatcher } from 'node:fs'
import { nameText, splitLast } from './names.ts'
import { readSmallFile } from './read-range.ts'
import { realPathOf } from './real-path.ts'
import { systemPath } from './scan-list.ts'
import { watchTree } from './watch-tree.ts'

/** The names that may have changed since the last call. `lost` if events were missed. */
export type WatchedNames =
  | { readonly kind: 'heard'; readonly names: ReadonlyMap<string, ReadonlySet<string> | 'all'> }
  | { readonly kind: 'lost' }

/**
 * Watches directories one by one, because recursive `fs.watch` misses events on Linux. On macOS one
 * watch of the whole tree gives hints, and `take` always returns `lost`.
 */
export interface DirectoryWatch extends Disposable {
  /** Watches this directory. Does nothing if the same inode is already watched. */
  enter(path: string, inode: bigint): void
  leave(path: string): void
  /** Waits for the events of everything that happened before this call, and returns them. */
  take(): Promise<WatchedNames>
  /** Makes the next `take` return `lost`, so that everything is scanned again. */
  lose(): void
}

const BARRIER_TIMEOUT_MS = 2000
const COOKIE = 'cookie-'

/**
 * The barrier writes nothing into the project. All watches of one event loop share one inotify
 * queue, which keeps events in order. So the event of a file created in `cookies`, a directory of
 * our own, arrives after the events of everything that happened in the project before.
 */
export function watchDirectories({
  root,
  cookies,
  isTrusted,
  onEvent,
}: {
  root: string
  cookies: string
  /** False if the file system does not report every change: then `take` always returns `lost`. */
  isTrusted: boolean
  onEvent: () => void
}): DirectoryWatch {
  const watchers = new Map<string, { readonly inode: bigint; readonly watcher: FSWatcher }>()
  const waiting = new Map<string, () => void>()
  const limit = queueLimit()
  // The barrier needs events in order, which only inotify guarantees.
  const isSupported = isTrusted && process.platform === 'linux'
  const isTree = process.platform === 'darwin'
  const entered = new Set<string>()
  // FSEvents reports real paths.
  const tree = isTree
    ? watchTree(realPathOf(`${root}/.`), (path) => {
        if (path === null || entered.has(splitLast(path).parent)) onEvent()
      })
    : null
  let names = new Map<string, Set<string> | 'all'>()
  let isLost = false
  let eventsThisTurn = 0
  let cookie = 0

  /**
   * The kernel reports a queue overflow, but libuv does not pass it on. So guess from the number of
   * events.
   */
  const count = (): void => {
    if (eventsThisTurn === 0) setImmediate(() => (eventsThisTurn = 0))
    eventsThisTurn += 1
    // libuv reads a full queue in one turn of the event loop, so an overflow brings more events
    // than this.
    if (eventsThisTurn * 4 > limit) isLost = true
  }
  const hear = (path: string, name: Buffer | null): void => {
    count()
    const known = names.get(path)
    if (name === null) names.set(path, 'all')
    else if (known === undefined) names.set(path, new Set([nameText(name)]))
    else if (known !== 'all') known.add(nameText(name))
    onEvent()
  }
  const listen = (
    path: string | Buffer,
    listener: (name: Buffer | null) => void,
  ): FSWatcher | null => {
    try {
      const watcher = watch(path, { persistent: false, encoding: 'buffer' }, (_event, name) =>
        listener(name),
      )
      watcher.on('error', () => (isLost = true))
      return watcher
    } catch {
      // The watch limit was reached, or the directory was just deleted.
      isLost = true
      return null
    }
  }
  const hearCookie = (name: Buffer | null): void => {
    count()
    if (name !== null) waiting.get(nameText(name))?.()
  }
  const cookieWatch = isSupported ? listen(systemPath(cookies), hearCookie) : null

  const barrier = (): Promise<boolean> => {
    if (!isSupported || cookieWatch === null) return Promise.resolve(false)
    cookie += 1
    const name = `${COOKIE}${process.pid}-${cookie}`
    return new Promise((resolve) => {
      const end = (isHeard: boolean) => (): void => {
        clearTimeout(timer)
        waiting.delete(name)
        resolve(isHeard)
      }
      const timer = setTimeout(end(false), BARRIER_TIMEOUT_MS)
      waiting.set(name, end(true))
      try {
        writeFileSync(`${cookies}/${name}`, '', { flag: 'wx', mode: 0o600 })
        unlinkSync(`${cookies}/${name}`)
      } catch {
        end(false)()
      }
    })
  }

  return {
    enter(path, inode) {
      if (isTree) return void entered.add(path)
      const known = watchers.get(path)
      if (known?.inode === inode) return
      const watcher = listen(systemPath(path === '' ? root : `${root}/${path}`), (name) =>
        hear(path, name),
      )
      // Close the old watch last, so that no event is missed if the directory was only renamed.
      known?.watcher.close()
      if (watcher === null) watchers.delete(path)
      else watchers.set(path, { inode, watcher })
    },
    leave(path) {
      entered.delete(path)
      watchers.get(path)?.watcher.close()
      watchers.delete(path)
    },
    async take() {
      if (!(await barrier())) isLost = true
      const heard: WatchedNames = isLost ? { kind: 'lost' } : { kind: 'heard', names }
      names = new Map()
      isLost = false
      return heard
    },
    lose() {
      isLost = true
    },
    [Symbol.dispose]() {
      tree?.[Symbol.dispose]()
      cookieWatch?.close()
      for (const { watcher } of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}

function queueLimit(): number {
  const text = readSmallFile('/proc/sys/fs/inotify/max_queued_events', 64)?.toString('latin1')
  return Number.parseInt(text ?? '', 10) || 16_384
}
