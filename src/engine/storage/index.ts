/** Copies, checks, cleans up, rescues and erases what Retake stores. */
export { checkProject } from './check.ts'
export { forgetBranch, type ForgetReport, purgePath } from './forget.ts'
export { applyGc, type GcPlan, GRACE_DAYS, planGc } from './gc.ts'
export { keepLater } from './keep-later.ts'
export { isGitAtRisk, keepBorrowed } from './keep-borrowed.ts'
export { applyRescue, planRescue, type RescuePlan } from './rescue.ts'
export { readStorage } from './read-storage.ts'
