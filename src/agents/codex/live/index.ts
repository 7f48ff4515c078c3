/** Which sessions Codex processes have open, and whether a turn runs in them. */
export { findLiveProcesses, type OpenedRollout } from './live-processes.ts'
