import type { PlannedStep } from '#store'
import type { ClaudeSession } from '../session/index.ts'
import { appendTo } from './move.ts'

/** What `/rename` appends; null gives the session the title again that it has by itself. */
export function planTitle(session: ClaudeSession, title: string | null): PlannedStep {
  const sessionId = session.file.id
  const rows = [
    { type: 'custom-title', customTitle: title ?? '', sessionId },
    { type: 'agent-name', agentName: title ?? '', sessionId },
  ]
  return appendTo(session, Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')))
}
