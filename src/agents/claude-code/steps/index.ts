/** What a turn did: its steps, edits and checkpoints. */
export { findBackups, readCheckpoints } from './checkpoints.ts'
export { askedBy, isEditing, previewOfCall, unknownEffectOf } from './edits.ts'
export { aboutOf, readMoments } from './moments.ts'
export { NAME } from './name.ts'
export {
  fileHistoryDirectory,
  isSessionId,
  projectsDirectory,
  registryDirectory,
  slugOf,
  slugStart,
} from './places.ts'
export { readImages, readModel } from './prompt-details.ts'
export { SEEN } from './seen-tools.ts'
export { agentFromAsides, runningCalls, findSubagents, subagentFilesOf } from './subagents.ts'
export { kindOfTool } from './tool-kinds.ts'
