/** The lines and files that move a conversation. */
export { wasContinued, planBranch, planUnbranch } from './branch-session.ts'
export { emptyConversation, linesAfter, planMove, planMoveToPrompt } from './move.ts'
export { planTitle } from './plan-title.ts'
export { canBeEmptied, isMeasured, versionOf, writesPointers } from './versions.ts'
