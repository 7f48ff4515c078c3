/** Turns that Retake runs itself. */
export { askedAfterStop } from './asked-after-stop.ts'
export { type Converse, openRuns, type Run, type Runs, type Stopped } from './runs.ts'
