import type { StepRunner } from '#store'
import { fileSteps } from '../../file-steps.ts'
import { abandonMove, isRolloutMove, performMove, progressOf } from './rollout-step.ts'
import { isTitleMove, performTitle, progressOfTitle } from './title-step.ts'

/** Moves and names of threads; new threads are files that are put in place. */
export const codexSteps: StepRunner = {
  progress(disk, recorded) {
    const { step, bytes } = recorded
    if (isRolloutMove(step)) return progressOf(disk, step, bytes)
    return isTitleMove(step) ? progressOfTitle(step) : fileSteps.progress(disk, recorded)
  },
  perform(disk, recorded) {
    if (isRolloutMove(recorded.step)) performMove(disk, recorded)
    else if (isTitleMove(recorded.step)) performTitle(disk, recorded)
    else fileSteps.perform(disk, recorded)
  },
  abandon(disk, recorded) {
    if (isRolloutMove(recorded.step)) abandonMove(disk, recorded)
    else if (!isTitleMove(recorded.step)) fileSteps.abandon(disk, recorded)
  },
  tidy(disk, recorded) {
    const { step } = recorded
    if (!isRolloutMove(step) && !isTitleMove(step)) fileSteps.tidy(disk, recorded)
  },
}
