import { wordsForProgress } from '#protocol'
import type { Progress } from '#timeline'
import type { Context } from './context.ts'

/** Show progress only after this many ms: a line that flashes by is noise. */
const SHOW_AFTER_MS = 500

/** One line on standard error that shows the progress of long work, only if interactive. */
export function showProgress({ interactive, json, now }: Context): Disposable & {
  show(this: void, progress: Progress): void
} {
  let shown = ''
  const draw = (text: string): void => {
    process.stderr.write(`\r${text}${' '.repeat(Math.max(0, shown.length - text.length))}\r`)
    shown = text
  }
  return {
    show(progress) {
      if (!interactive || json || Date.now() - now < SHOW_AFTER_MS) return
      const text = wordsForProgress(progress)
      if (text !== shown) draw(text)
    },
    [Symbol.dispose]: () => {
      if (shown !== '') draw('')
    },
  }
}
