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
  return watchStream(root, listener, load()) ?? watchByNode(root, listener)
}

/** Null without the package, and if its program for this system fails. */
function watchStream(
  root: string,
  listener: (path: string | null) => void,
  fsevents: FsEvents | null,
): Disposable | null {
  const hear = (path: string, flags: number): void => {
    const isOne = (flags & ANY_PATH) === 0 && path.startsWith(`${root}/`)
    listener(isOne ? path.slice(root.length + 1) : null)
  }
  try {
    const stop = fsevents?.watch(root, hear)
    return stop === undefined ? null : { [Symbol.dispose]: () => void stop() }
  } catch {
    return null
  }
}

/** Node does not pass on the flags of lost events. */
function watchByNode(root: string, listener: (path: string | null) => void): Disposable | null {
  try {
    const options = { persistent: false, recursive: true }
    const watcher = watch(root, options, (_event, name) => listener(name))
    watcher.on('error', () => watcher.close())
    return { [Symbol.dispose]: () => watcher.close() }
  } catch {
    return null
  }
}

/** Whether this is a Mac on which the package is not installed, or its program does not load. */
export function lacksFsEvents(): boolean {
  return process.platform === 'darwin' && loadFsEvents() === null
}

/** From Retake's own packages: resolved from elsewhere, a project could bring its own. */
function loadFsEvents(): FsEvents | null {
  try {
    return createRequire(import.meta.url)('fsevents') as FsEvents
  } catch {
    return null
  }
}
