import { Failure } from '#failure'
import { keepSessions, type Machine } from '../ground/index.ts'

/** Small pieces: a process that answers requests must not be held up by a large transcript. */
const PIECE = 4 * 1024 * 1024
const PAUSE = 500

/** Keeps what sessions say, a while after they have changed, piece by piece. */
export function keepLater(machine: Machine): Disposable & { add(session: string): void } {
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  const start = (): void => {
    if (timer !== null) return
    timer = setTimeout(work, PAUSE)
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

/** True when there is nothing more to do for it now. */
function keepOne(machine: Machine, session: string): boolean {
  try {
    return keepSessions(machine, [session], { budget: PIECE }).isWhole
  } catch (error) {
    // Another process is keeping, or the disk is full: the next change tries again.
    if (error instanceof Failure) return true
    throw error
  }
}
