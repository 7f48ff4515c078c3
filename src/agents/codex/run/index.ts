/** Runs a turn in its own process, with Codex's app server. */
export { startRun } from './run.ts'
