/**
 * One directory per agent: finds its sessions, reads them into turns, moves them. Facts about an
 * agent's files stay in its directory; the other rooms use the interface `Agent`.
 */
export { agentEnvironment, agentPlaces, allWords, findAgents, startedIn } from './registry.ts'
export type { Agent, AgentDirectory, AgentPlaces, AgentWords, LiveProcess } from './agent.ts'
export type { Capture, HookScope, HooksBlock, HooksPlan, HookSource } from './capture.ts'
export * from './events/index.ts'
export { appendStep, fileSteps, relocateStep } from './file-steps.ts'
export type {
  Answer,
  BranchRequest,
  Conversation,
  Damage,
  MoveFacts,
  MovePlan,
  OpenSession,
  PromptImage,
  SessionMoves,
  TurnFacts,
  TurnReading,
} from './open-session.ts'
export { isBelowProcess, inspectProcess, stillRuns } from './inspect-process.ts'
export type { AgentRun, Allowed, Runner, RunRequest, RunStep } from './runner.ts'
export {
  MARKS,
  openSearchIndex,
  searchFormat,
  type SearchHit,
  type SearchIndex,
} from './search-index.ts'
export type {
  AgentName,
  Belonging,
  BranchRecord,
  SessionFile,
  SessionSummary,
} from './session-file.ts'
export type {
  AddedReading,
  SessionEvent,
  OpenOptions,
  SessionIndex,
  SessionSource,
  SessionWatch,
} from './session-source.ts'
export type { Proof, ProofPlaces, Proofs, VersionRules } from './versions.ts'
