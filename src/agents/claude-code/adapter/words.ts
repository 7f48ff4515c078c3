import type { AgentWords } from '../../agent.ts'

export const words: AgentWords = {
  name: 'Claude Code',
  short: 'Claude',
  program: 'claude',
  resume: 'claude --resume {session}',
  leave: '/exit',
  switchTo: '/clear, then /resume {session}',
  typed: '/retake:',
  removePlugin: 'claude plugin uninstall retake@retake',
  addTools: 'claude mcp add retake -- retake mcp',
}
