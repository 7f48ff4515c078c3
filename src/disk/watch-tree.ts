import { watch } from 'node:fs'
import { createRequire } from 'node:module'

/** What is used of the package `fsevents`. */
export interface FsEvents {
  watch(path: string, handler: (path: string, flags: number) => void): () => Promise<void>
}

/** FSEvents merged or lost events, or the directory itself moved: any path may have changed. */
const ANY_PATH = 0x01 | 0x02 | 0x04 | 0x20

/**
 * Watches a directory with everything below it. Reports relative paths, or null if any may have
 * changed. On macOS one stream does that, while one watch per directory would restart the stream of
 * all others. It is a hint: FSEvents delivers late, so the caller still scans. Null if the directory
 * cannot be watched.
 */
export function watchTree(
  root: string,
  listener: (path: string | null) => void,
  load: () => FsEvents | null = loadFsEvents,
): Disposable | null {
  try {
    const stop = load()?.watch(
      root,
      (path, flags) =>
      listener((flags & ANY_PATH) === 0 && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null), // prettier-ignore
    )
    if (stop !== undefined) return { [Symbol.dispose]: () => void stop() }
    // Without the package. Node does not pass on the flags of lost events.
    const watcher = watch(root, { persistent: false, recursive: true }, (_event, name) =>
      listener(name),
    )
    watcher.on('error', () => watcher.close())
    return { [Symbol.dispose]: () => watcher.close() }
  } catch {
    return null
  }
}

/** From Retake's own packages: resolved from elsewhere, a project could bring its own. */
function loadFsEvents(): FsEvents | null {
  try {
    return createRequire(import.meta.url)('fsevents') as FsEvents
  } catch {
    return null
  }
}
