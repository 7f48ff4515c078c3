/** The parts of the adapter for Claude Code, for tests of the parts themselves. */
export type { ClaudeSession } from '../../src/agents/claude-code/session/claude-session.ts'
export {
  hooksInstalled,
  planInstall,
  planUninstall,
} from '../../src/agents/claude-code/hooks/install.ts'
export { linesAfter } from '../../src/agents/claude-code/move/move.ts'
export { findLiveProcesses } from '../../src/agents/claude-code/session/registry.ts'
export {
  findSessionFile,
  listSessionFiles,
} from '../../src/agents/claude-code/session/session-files.ts'
export {
  indexFormat,
  openSessionIndex,
  type ClaudeIndex,
} from '../../src/agents/claude-code/session/session-index.ts'
export { openSession } from '../../src/agents/claude-code/session/session.ts'
export * from '../../src/agents/events/index.ts'
