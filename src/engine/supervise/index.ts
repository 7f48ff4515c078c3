/** Agents that run under `retake claude`: started, found, and told what to start next. */
export { askInTerminal } from './ask-in-terminal.ts'
export { openHandover } from './handover.ts'
export { mayHoldText, noteEmptyBox } from './input-box.ts'
export { planSupervised, type Exec } from './start-supervised.ts'
export { claimQuestion, findSupervised, isSupervised, type Supervised } from './supervised.ts'
