/** Makes a plan from a command, to be shown, compared and applied. */
export { leavesAreNoticed, empty, movesHead, moveTo, refuseLive } from './conversation.ts'
export { diffPlanFile } from './diff-plan-file.ts'
export { leftInDoubt, leftNotCovered } from './left-of.ts'
export { planOperation, planResolved, readWorld, type More } from './plan-operation.ts'
export { readPlanVersions } from './plan-versions.ts'
export { markedWarning, needsYes, refusalOf, wordsForAsk, wordsForConflict } from './plan-words.ts'
export {
  empties,
  type Planned,
  type PlannedNothing,
  type PlannedOperation,
  turnName,
} from './planned.ts'
export { renameOf, verifyTitle } from './rename-session.ts'
export { stalePlan } from './stale-plan.ts'
