import type { Lineage, SessionReport } from '#timeline'

export interface SessionView {
  id: string
  agent: string
  title: string
  project: string | null
  turns: number | null
  branches: number | null
  head: string | null
  updatedAt: string
  live: 'idle' | 'busy' | null
  parent?: { session: string; turn: string | null }
  lineage?: Lineage
}

export interface SessionsView {
  schema: 'retake.sessions/1'
  sessions: SessionView[]
}

export function sessionsView(sessions: readonly SessionReport[]): SessionsView {
  return { schema: 'retake.sessions/1', sessions: sessions.map(sessionView) }
}

function sessionView({ parent, lineage, ...session }: SessionReport): SessionView {
  return {
    ...session,
    ...(parent === null ? {} : { parent }),
    ...(lineage === null ? {} : { lineage }),
  }
}
