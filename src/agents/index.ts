/**
 * One folder per agent: find its sessions, read them into turns, move them. What is true of one
 * agent's files is said in its folder and nowhere else.
 */
export * as claudeCode from './claude-code/index.ts'
export type {
  Belonging,
  AgentRun,
  Allowed,
  BranchRecord,
  ConversationMove,
  HookEvent,
  HookScope,
  HooksPlan,
  HookSource,
  LiveProcess,
  OpenSession,
  PromptImage,
  Proof,
  Proofs,
  RunStep,
  SearchHit,
  SearchIndex,
  SessionFile,
  SessionIndex,
  SessionSummary,
  SessionsMove,
  ShellStamp,
  SpoolEvent,
  Looks,
  TurnReading,
  TurnRows,
} from './claude-code/index.ts'
