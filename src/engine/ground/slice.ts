import { setImmediate } from 'node:timers/promises'

/** Others wait no longer than this for their answers. */
const LONGEST = 25

/** Lets others have their turn in the middle of long work, once it has worked for a while. */
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
