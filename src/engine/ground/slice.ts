import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work before other requests get their turn. */
const LONGEST = 25

/** Yields to the event loop during long work, once the time slice is used up. */
export function openSlice(): { isOver(): boolean; pause(): Promise<void> } {
  let until = performance.now() + LONGEST
  const isOver = (): boolean => performance.now() >= until
  return {
    isOver,
    async pause() {
      if (!isOver()) return
      await setImmediate()
      until = performance.now() + LONGEST
    },
  }
}
