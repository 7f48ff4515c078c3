/** Starts agents under `retake claude`, finds them, ends them and restarts them. */
export { askInTerminal } from './ask-in-terminal.ts'
export { END_MS, endAgent, stopAgent, until, type EndedAgent } from './end-agent.ts'
export { mayHoldText } from './input-box.ts'
export { planSupervised, type Exec } from './start-supervised.ts'
export { claimQuestion, findSupervised, isSupervised, type Supervised } from './supervised.ts'
