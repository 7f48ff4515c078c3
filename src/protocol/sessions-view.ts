import type { Lineage, LossReport, ReceiptReport, SessionReport } from '#timeline'
import { receiptView, type ReceiptView } from './plan-view.ts'

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
  /** Archived, and not used since. */
  archived: boolean
  /** Its project's directory no longer exists. */
  gone: boolean
}

export interface SessionsView {
  schema: 'retake.sessions/1'
  sessions: SessionView[]
  /** Transcripts that were deleted, truncated or rewritten, and of which Retake has a copy. */
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

/** A new session, and the receipt of its creation. */
export interface BranchedView {
  schema: 'retake.branched/1'
  session: SessionView
  receipt: ReceiptView
}

export function branchedView(session: SessionReport, receipt: ReceiptReport): BranchedView {
  return {
    schema: 'retake.branched/1',
    session: sessionView(session),
    receipt: receiptView(receipt),
  }
}

function sessionView(report: SessionReport): SessionView {
  const { parent, lineage, deleted: _, ...session } = report
  return {
    ...session,
    ...(parent === null ? {} : { parent }),
    ...(lineage === null ? {} : { lineage }),
  }
}
