import { watch } from 'node:fs'

/**
 * Reports each changed name in one directory. Null if it cannot be watched. The kernel may drop
 * events, so the caller must also poll now and then.
 */
export function watchDirectory(
  path: string,
  listener: (name: string | null) => void,
): Disposable | null {
  try {
    const watcher = watch(path, { persistent: false }, (_event, name) => listener(name))
    // The directory was deleted, or the watch limit was lowered. The caller's polling notices.
    watcher.on('error', () => watcher.close())
    return { [Symbol.dispose]: () => watcher.close() }
  } catch {
    return null
  }
}
