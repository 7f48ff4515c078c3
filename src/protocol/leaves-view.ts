import type { LeafReport } from '#timeline'

export interface LeafView {
  branch: string
  tip: string
  /** The branch's name if it has one, otherwise its first prompt. */
  title: string
  at: string | null
  /** The number of turns from the first to the tip. */
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
