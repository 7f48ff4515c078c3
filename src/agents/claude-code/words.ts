import type { AgentWords } from '../agent.ts'

export const words: AgentWords = {
  name: 'Claude Code',
  short: 'Claude',
  program: 'claude',
  resume: (session) => `claude --resume ${session}`,
  leave: '/exit',
  switchTo: (session) => `/clear and then /resume ${session}`,
  addTools: 'claude mcp add retake -- retake mcp',
}
