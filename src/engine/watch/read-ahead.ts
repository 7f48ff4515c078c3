import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { statPath } from '#disk'
import { findSessionFile, type Machine, type Places } from '../ground/index.ts'

/**
 * The worker thread's input. For `plan`, it adds all of a session's recorded edits to the ledger.
 */
export type AheadWork =
  | { readonly places: Places; readonly session: string; readonly purpose: Purpose }
  | { readonly places: Places; readonly purpose: 'search' }

type Purpose = 'read' | 'plan'

/** Below this many new bytes, reading is faster than starting a thread. */
const MIN_BYTES: Record<Purpose, number> = {
  read: 128 * 1024 * 1024,
  plan: 16 * 1024 * 1024,
}

/**
 * Reads what is new in a large session on a worker thread, where it would block the event loop:
 * into the cache of readings, and into the ledger. Only an optimization: callers do themselves what
 * it left undone or could not do.
 */
export interface ReadAhead {
  prepare(session: string, purpose: Purpose): Promise<void>
  /** Adds all sessions to the search index in the background. */
  indexSessions(): void
  readonly isIndexing: boolean
}

export function openReadAhead(machine: Machine): ReadAhead {
  const { places } = machine
  const sizes = new Map<string, number>()
  const running = new Map<string, Promise<void>>()
  let takingIn = false
  return {
    get isIndexing() {
      return takingIn
    },
    indexSessions() {
      const worker = workerFile()
      if (takingIn || worker === null) return
      takingIn = true
      void runThread(worker, { places, purpose: 'search' }).finally(() => (takingIn = false))
    },
    async prepare(session, purpose) {
      const file = findSessionFile(machine, session)
      const worker = workerFile()
      if (file === null || worker === null) return
      const key = `${purpose} ${session}`
      if (file.identity.size - (sizes.get(key) ?? 0) < MIN_BYTES[purpose]) return
      const known = running.get(key)
      if (known !== undefined) return known
      const work = runThread(worker, { places, session, purpose })
      running.set(key, work)
      await work
      running.delete(key)
      sizes.set(key, file.identity.size)
    },
  }
}

function runThread(worker: URL, workerData: AheadWork): Promise<void> {
  return new Promise((resolve) => {
    const thread = new Worker(worker, { workerData, env: {}, execArgv: [] })
    thread.once('error', () => resolve())
    thread.once('exit', () => resolve())
  })
}

/**
 * In the bundle, the file is next to the entry or above the chunks. Without it, no thread is used.
 */
function workerFile(): URL | null {
  const source = new URL('./read-ahead-worker.ts', import.meta.url)
  const bundled = ['./read-ahead-worker.js', '../read-ahead-worker.js'].map(
    (at) => new URL(at, import.meta.url),
  )
  const candidates = import.meta.url.endsWith('.ts') ? [source] : bundled
  return candidates.find((url) => statPath(fileURLToPath(url)) !== null) ?? null
}
