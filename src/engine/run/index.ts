/** Turns that Retake runs itself. */
export { type Converse, openRuns, type Run, type Runs, type Stopped } from './runs.ts'
