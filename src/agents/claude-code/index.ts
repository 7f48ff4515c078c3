/**
 * Claude Code: where it keeps its sessions, and what they say. Reading is exact about one thing
 * above all: the head is where the real program would resume.
 */
export { addedByCommandLine, addedDirectories, addedDirectoriesFrom } from './added-directories.ts'
export { readBranchRecord, type BranchRecord } from './branch-record.ts'
export {
  hasGoneOn,
  planBranch,
  planUnbranch,
  type BranchPlan,
  type SessionsMove,
} from './branch-session.ts'
export {
  emptyConversation,
  planMove,
  planMoveToPrompt,
  type ConversationMove,
  type MovePlan,
} from './move.ts'
export {
  hasPlugin,
  hooksDisabled,
  hooksInstalled,
  hookSources,
  planInstall,
  planUninstall,
  type HookScope,
  type HooksPlan,
  type HookSource,
} from './install.ts'
export {
  FULL,
  dropSpooled,
  isSpoolFull,
  prepareSpool,
  readSpool,
  reopenSpool,
  spoolDirectory,
} from './spool.ts'
export { joinLooks, openLooks, type Looks } from './looks.ts'
export type { HookEvent, ShellStamp, SpoolEvent } from './spool-event.ts'
export { findRunningTurn, hasAgentsAtWork, isAnswered } from './running-turn.ts'
export { findLiveProcesses, signalReaches, type LiveProcess } from './registry.ts'
export { previewOfCall } from './edits.ts'
export { startRun, type AgentRun, type PromptImage, type RunStep } from './run.ts'
export type { Allowed } from './run-approvals.ts'
export { openProofs, type Proof, type Proofs } from './proofs.ts'
export { belongingsOf, pathInSession, type Belonging } from './session-belongings.ts'
export {
  findSessionFile,
  listSessionFiles,
  projectDirectories,
  listSessionFilesBelow,
  relatedWorktrees,
  sessionFilesIn,
  watchedPlaces,
  type SessionFile,
} from './session-files.ts'
export { indexFormat, openSessionIndex, type SessionIndex } from './session-index.ts'
export {
  MARKS,
  openSearchIndex,
  searchFormat,
  type SearchHit,
  type SearchIndex,
} from './search-index.ts'
export type { OpenSession, TurnReading } from './open-session.ts'
export { openSession } from './session.ts'
export { givenTitle, planTitle } from './session-title.ts'
export type { SessionSummary } from './session-summary.ts'
export { factsOf } from './turn-facts.ts'
export type { TurnRows } from './turns.ts'
export { canBeEmptied, isMeasured, measuredVersions, versionOf } from './versions.ts'
