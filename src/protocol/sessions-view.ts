import type { Lineage, LossReport, SessionReport } from '#timeline'

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
  /** Transcripts that are gone, cut or rewritten, and of which Retake has the bytes. */
  lost: LossView[]
}

export interface LossView {
  session: string
  title: string
  project: string | null
  path: string
  how: LossReport['how']
  kept: number
  left: number
}

export function sessionsView(
  sessions: readonly SessionReport[],
  losses: readonly LossReport[] = [],
): SessionsView {
  return {
    schema: 'retake.sessions/1',
    sessions: sessions.map(sessionView),
    lost: losses.map(lossView),
  }
}

export function lossView(loss: LossReport): LossView {
  return { ...loss }
}

function sessionView({ parent, lineage, ...session }: SessionReport): SessionView {
  return {
    ...session,
    ...(parent === null ? {} : { parent }),
    ...(lineage === null ? {} : { lineage }),
  }
}
