import type { BranchName, SessionReport, StatusReport } from '#timeline'

export interface StatusView {
  schema: 'retake.status/1'
  session: string
  title: string
  project: string | null
  head: { id: string; number: number } | null
  turns: number
  undone: number
  branches: number
  /** The branch the session is on. */
  branch: BranchName | null
  live: SessionReport['live']
  hooks: StatusReport['hooks']
  coverage: StatusReport['coverage']
  /** Turns whose files are not where the conversation is. */
  differing: { id: string; number: number | null; files: string }[]
  damaged: number
}

export function statusView(report: StatusReport): StatusView {
  const { session, head, turns, undone, branches, branch, hooks, coverage, differing, damage } =
    report
  return {
    schema: 'retake.status/1',
    session: session.id,
    title: session.title,
    project: session.project,
    head: head && { id: head.id, number: head.number },
    turns,
    undone,
    branches,
    branch,
    live: session.live,
    hooks,
    coverage,
    differing: [...differing],
    damaged: damage.length,
  }
}
