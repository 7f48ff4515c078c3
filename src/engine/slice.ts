import { setImmediate } from 'node:timers/promises'

/** Others wait no longer than this for their answers. */
const LONGEST = 25

/** Lets others have their turn in the middle of long work, once it has worked for a while. */
export function openSlice(): { pause(): Promise<void> } {
  let until = performance.now() + LONGEST
  return {
    async pause() {
      if (performance.now() < until) return
      await setImmediate()
      until = performance.now() + LONGEST
    },
  }
}
