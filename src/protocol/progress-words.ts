import type { Progress, ProgressPhase } from '#timeline'

const PHASES: Record<ProgressPhase, string> = {
  waiting: 'Waiting for another process',
  checking: 'Checking the files',
  keeping: 'Saving the current files',
  preparing: 'Preparing',
  changing: 'Changing',
  finishing: 'Finishing',
}

/** The progress of an operation, worded the same on every surface. */
export function wordsForProgress({ phase, done, total }: Progress): string {
  return `${PHASES[phase]} … ${done === 0 ? '' : `${done} of ${total} files`}`.trimEnd()
}
