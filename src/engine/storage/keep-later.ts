import { Failure } from '#failure'
import { keepSessions, type Machine } from '../ground/index.ts'

/** Bytes per run. Small, because a large transcript must not block the server's event loop. */
const PIECE = 4 * 1024 * 1024
const DELAY_MS = 500

/** Copies transcripts to the vault some time after they changed, in small pieces. */
export function keepLater(machine: Machine): Disposable & { add(session: string): void } {
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  const start = (): void => {
    if (timer !== null) return
    timer = setTimeout(work, DELAY_MS)
    timer.unref()
  }
  const work = (): void => {
    timer = null
    const [session] = waiting
    if (session === undefined) return
    if (keepOne(machine, session)) waiting.delete(session)
    if (waiting.size > 0) start()
  }
  return {
    add(session) {
      waiting.add(session)
      start()
    },
    [Symbol.dispose]() {
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** True if nothing is left to do for the session now. */
function keepOne(machine: Machine, session: string): boolean {
  try {
    return keepSessions(machine, [session], { budget: PIECE }).isWhole
  } catch (error) {
    // Another process is copying, or the disk is full: retry at the next change.
    if (error instanceof Failure) return true
    throw error
  }
}
