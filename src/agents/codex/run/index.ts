/** Runs a turn in its own process, with Codex's app server. */
export { previewPatch } from './preview-patch.ts'
export { runRequirements } from './program.ts'
export { startRun } from './run.ts'
