import type { AgentWords } from '../../agent.ts'

export const words: AgentWords = {
  name: 'Codex',
  short: 'Codex',
  program: 'codex',
  resume: 'codex resume {session}',
  leave: '/quit',
  switchTo: '/resume and choose {session}',
  // Codex refuses commands with a slash that it does not know.
  typed: 'retake ',
  removePlugin: null,
  addTools: 'codex mcp add retake -- retake mcp',
}
