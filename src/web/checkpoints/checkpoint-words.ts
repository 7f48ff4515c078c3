import type { CheckpointsView } from '#protocol'

export type Checkpoint = CheckpointsView['checkpoints'][number]

/** A turn outside the line has no number. */
export function placeOf({ turn, branch }: Checkpoint): string {
  if (branch === null) return 'no longer in the transcript'
  return turn.number === null ? `on branch ${branch.label}` : `turn ${turn.number}`
}
