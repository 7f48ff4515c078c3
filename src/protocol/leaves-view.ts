import type { LeafReport } from '#timeline'

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

export function leavesView({
  session,
  leaves,
}: {
  session: string
  leaves: readonly LeafReport[]
}): LeavesView {
  return {
    schema: 'retake.leaves/1',
    session,
    leaves: leaves
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
