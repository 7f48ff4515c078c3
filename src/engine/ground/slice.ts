import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work before other requests get their turn. */
const MAX_SLICE_MS = 25

/** Yields to the event loop during long work, once the time slice is used up. */
export function openSlice(): { isOver(): boolean; pause(): Promise<void> } {
  let until = performance.now() + MAX_SLICE_MS
  const isOver = (): boolean => performance.now() >= until
  return {
    isOver,
    async pause() {
      if (!isOver()) return
      await setImmediate()
      until = performance.now() + MAX_SLICE_MS
    },
  }
}
