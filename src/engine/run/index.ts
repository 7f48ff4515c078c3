/** Turns that Retake runs itself. */
export { commandAfterStop } from './command-after-stop.ts'
export { type Converse, openRuns, type Run, type Runs, type Stopped } from './runs.ts'
