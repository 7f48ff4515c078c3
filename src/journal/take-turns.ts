import { setImmediate } from 'node:timers/promises'

/** Milliseconds. Short, because a request to cancel needs several rounds of the event loop. */
const MAX_BLOCKED = 2

export interface Turns {
  /** Lets the event loop run, if disk calls have blocked it for a while. */
  yieldIfDue(): Promise<void>
}

/** To be called between files: yielding after each one costs more than a small file. */
export function takeTurns(): Turns {
  let since = performance.now()
  return {
    async yieldIfDue() {
      if (performance.now() - since < MAX_BLOCKED) return
      await setImmediate()
      since = performance.now()
    },
  }
}
