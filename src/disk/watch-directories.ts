import { unlinkSync, watch, writeFileSync, type FSWatcher } from 'node:fs'
import { nameText } from './names.ts'
import { readSmallFile } from './read-range.ts'
import { systemPath } from './scan-list.ts'

/** What may have changed since it was last asked for; `lost` when some of it was not heard. */
export type Heard =
  | { readonly kind: 'heard'; readonly names: ReadonlyMap<string, ReadonlySet<string> | 'all'> }
  | { readonly kind: 'lost' }

/** Listens to directories, one by one: the recursive kind of `fs.watch` misses events on Linux. */
export interface DirectoryWatch extends Disposable {
  /** Listens to this directory; does nothing when the very same one is listened to already. */
  enter(path: string, inode: bigint): void
  leave(path: string): void
  /** Waits for all that happened before this call, and hands it over. */
  take(): Promise<Heard>
  /** From now on nothing is known before everything was looked at again. */
  lose(): void
}

const PATIENCE = 2000
const COOKIE = 'cookie-'

/**
 * The barrier writes nothing into the project. All watches of one event loop share one inotify
 * queue, and the kernel puts events into it in order. So a file made in `cookies`, a directory of
 * our own, is heard of after everything that was done to the project before it was made.
 */
export function watchDirectories({
  root,
  cookies,
  onEvent,
}: {
  root: string
  cookies: string
  onEvent: () => void
}): DirectoryWatch {
  const watchers = new Map<string, { readonly inode: bigint; readonly watcher: FSWatcher }>()
  const waiting = new Map<string, () => void>()
  const limit = queueLimit()
  // Only inotify keeps the order that the barrier stands on.
  const isSupported = process.platform === 'linux'
  let names = new Map<string, Set<string> | 'all'>()
  let isLost = false
  let inOneGo = 0
  let cookie = 0

  /** The kernel says when its queue overflows, but libuv does not hand that on. */
  const count = (): void => {
    if (inOneGo === 0) setImmediate(() => (inOneGo = 0))
    inOneGo += 1
    // All of an overflown queue is read in one go, so less than this never came from one.
    if (inOneGo * 4 > limit) isLost = true
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
      // The limit of watches, or a directory that has just gone.
      isLost = true
      return null
    }
  }
  const cookieWatch = listen(systemPath(cookies), (name) => {
    count()
    if (name === null) return
    waiting.get(nameText(name))?.()
  })

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
      const timer = setTimeout(end(false), PATIENCE)
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
      const known = watchers.get(path)
      if (known?.inode === inode) return
      const watcher = listen(systemPath(path === '' ? root : `${root}/${path}`), (name) =>
        hear(path, name),
      )
      // The old one last: of a directory that only got another name no event is missed.
      known?.watcher.close()
      if (watcher === null) watchers.delete(path)
      else watchers.set(path, { inode, watcher })
    },
    leave(path) {
      watchers.get(path)?.watcher.close()
      watchers.delete(path)
    },
    async take() {
      if (!(await barrier())) isLost = true
      const heard: Heard = isLost ? { kind: 'lost' } : { kind: 'heard', names }
      names = new Map()
      isLost = false
      return heard
    },
    lose() {
      isLost = true
    },
    [Symbol.dispose]() {
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
