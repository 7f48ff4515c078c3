import type { PlannedStep } from '#store'
import type { ClaudeSession } from '../session/index.ts'
import { appendTo } from './move.ts'

/** The lines that `/rename` appends; null restores the session's default title. */
export function planTitle(session: ClaudeSession, title: string | null): PlannedStep {
  const sessionId = session.file.id
  const rows = [
    { type: 'custom-title', customTitle: title ?? '', sessionId },
    { type: 'agent-name', agentName: title ?? '', sessionId },
  ]
  return appendTo(session, Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')))
}
