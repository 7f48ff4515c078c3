/** The rollouts and index entries that move a conversation. */
export { movesOf } from './moves.ts'
export { timedId } from './new-path.ts'
export { codexSteps } from './steps.ts'
export { isMeasured } from './versions.ts'
