/** A turn in a process of its own, by the Agent SDK; and how the user's own is started again. */
export { READY, whatRunsNeed } from './run-sdk.ts'
export { restartArguments } from './restart-arguments.ts'
export { startRun } from './run.ts'
