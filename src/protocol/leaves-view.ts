import type { BranchesReport } from '#timeline'

export interface LeafView {
  branch: string
  tip: string
  /** The branch's name where somebody gave it one, else what it began with. */
  title: string
  at: string | null
  /** From the first turn to the tip. */
  turns: number
  current: boolean
  fork: string | null
}

export interface LeavesView {
  schema: 'retake.leaves/1'
  session: string
  leaves: LeafView[]
}

export function leavesView({ session, branches }: BranchesReport): LeavesView {
  return {
    schema: 'retake.leaves/1',
    session,
    leaves: branches
      .map(({ id, tip, name, prompt, at, length, current, fork }) => ({
        branch: id,
        tip,
        title: name ?? prompt,
        at,
        turns: length,
        current,
        fork,
      }))
      .sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? 1 : -1)),
  }
}
