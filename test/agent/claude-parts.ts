/** The parts of the adapter for Claude Code, for tests of the parts themselves. */
export type { ClaudeSession } from '../../src/agents/claude-code/claude-session.ts'
export { hooksInstalled, planInstall, planUninstall } from '../../src/agents/claude-code/install.ts'
export { linesAfter } from '../../src/agents/claude-code/move.ts'
export { findLiveProcesses } from '../../src/agents/claude-code/registry.ts'
export { findSessionFile, listSessionFiles } from '../../src/agents/claude-code/session-files.ts'
export {
  indexFormat,
  openSessionIndex,
  type ClaudeIndex,
} from '../../src/agents/claude-code/session-index.ts'
export { openSession } from '../../src/agents/claude-code/session.ts'
export * from '../../src/agents/events/index.ts'
