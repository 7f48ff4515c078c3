import { watch } from 'node:fs'

/**
 * Tells of every name that something happens to in one directory; null when it cannot be listened
 * to. Who listens must look for themselves now and then: the kernel may drop events.
 */
export function watchDirectory(
  path: string,
  listener: (name: string | null) => void,
): Disposable | null {
  try {
    const watcher = watch(path, { persistent: false }, (_event, name) => listener(name))
    // The directory went away, or the limit of watches was lowered: looking finds it out.
    watcher.on('error', () => watcher.close())
    return { [Symbol.dispose]: () => watcher.close() }
  } catch {
    return null
  }
}
