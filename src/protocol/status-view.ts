import type { BranchName, SessionReport, StatusReport, TurnName } from '#timeline'
import { lossView, type LossView } from './sessions-view.ts'

export interface StatusView {
  schema: 'retake.status/1'
  session: string
  title: string
  project: string | null
  head: { id: string; number: number } | null
  turns: number
  undone: number
  /** The undone turn whose prompt stayed in the conversation. */
  bare: { id: string; number: number | null } | null
  branches: number
  /** The branch the session is on. */
  branch: BranchName | null
  live: SessionReport['live']
  /** Whether it is open under `retake claude`. */
  supervised?: boolean
  hooks: StatusReport['hooks']
  /** Every place that configures the hooks. */
  hookSources: StatusReport['hookSources'][number][]
  /** Why this project's files are never scanned: a home directory, the whole disk, the store. */
  notLookedAt: string | null
  /** The top of the git repository, if it is above the recorded root. */
  unwatchedTop: string | null
  /** Directories of `--add-dir` where only the agent's recorded edits are known. */
  unwatchedDirectories: string[]
  /** Coverage of the head. */
  coverage: StatusReport['coverage']
  /** Coverage of all turns up to the head, by their numbers. */
  coverageOfTurns: { from: number; to: number; coverage: StatusReport['coverage'] }[]
  /** Where the conversation moves when the running agent leaves the session. */
  pending: { to: TurnName | null; operation: number } | null
  /** Turns whose files do not match the conversation. */
  differing: { id: string; number: number | null; files: string }[]
  /**
   * Files that no scan can capture (too big, hard-linked, special, …): the count, and the first
   * 100.
   */
  notCaptured: { count: number; files: { path: string; why: string }[] }
  /** Hooks stopped storing events because they went unread. */
  eventsLost: boolean
  /** Transcripts that differ from what Retake has seen; it has a copy. */
  lost: LossView[]
  /** What Retake stores, in bytes on disk. */
  kept: { project: number; all: number; transcripts: number; quota: number; level: string }
  damaged: number
  /** The model that answered the head's prompt. */
  model: string | null
  /** What the agent may do without asking, in the next turn that this server runs. */
  permissionMode?: string
}

export function statusView(report: StatusReport): StatusView {
  const {
    session,
    head,
    turns,
    undone,
    bare,
    branches,
    branch,
    hooks,
    coverage,
    pending,
    differing,
    damage,
  } = report
  const { losses, kept, notCaptured, notLookedAt, eventsLost } = report
  return {
    schema: 'retake.status/1',
    session: session.id,
    title: session.title,
    project: session.project,
    head: head && { id: head.id, number: head.number },
    turns,
    undone,
    bare,
    branches,
    branch,
    live: session.live,
    hooks,
    hookSources: [...report.hookSources],
    notLookedAt,
    unwatchedTop: report.unwatchedTop,
    unwatchedDirectories: [...report.unwatchedDirectories],
    coverage,
    coverageOfTurns: [...report.coverageOfTurns],
    pending,
    ...(report.supervised ? { supervised: true } : {}),
    differing: [...differing],
    notCaptured: { count: notCaptured.count, files: [...notCaptured.files] },
    eventsLost,
    lost: losses.map(lossView),
    kept: { ...kept },
    damaged: damage.length,
    model: report.model,
  }
}
