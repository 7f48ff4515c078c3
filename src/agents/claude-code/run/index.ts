/** Runs a turn in its own process, with the Agent SDK; and restarts the user's own process. */
export { READY, runRequirements } from './run-sdk.ts'
export { restartArguments } from './restart-arguments.ts'
export { startRun } from './run.ts'
