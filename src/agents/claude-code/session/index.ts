/** Finds sessions, and opens one for reading. */
export { addedDirectories, addedSince } from './added-directories.ts'
export { branchRecordLine } from './branch-record.ts'
export type { ClaudeSession } from './claude-session.ts'
export { currentOptions } from './current-options.ts'
export { forgottenLines } from './forgotten-lines.ts'
export { givenTitle } from './given-title.ts'
export { findLiveProcesses } from './registry.ts'
export { findRunningTurn, hasRunningAgents, isAnswered } from './running-turn.ts'
export { belongingsOf, pathInSession } from './session-belongings.ts'
export {
  type ClaudeFile,
  findSessionFile,
  listSessionFiles,
  listSessionFilesBelow,
  relatedWorktrees,
} from './session-files.ts'
export { indexFormat, openSessionIndex } from './session-index.ts'
export { openSession } from './session.ts'
export { turnOfMessage } from './turn-of-message.ts'
export { watchSessions } from './watch-sessions.ts'
