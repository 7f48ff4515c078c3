/** A turn in a process of its own, by the Agent SDK. */
export { READY, whatRunsNeed } from './run-sdk.ts'
export { startRun } from './run.ts'
