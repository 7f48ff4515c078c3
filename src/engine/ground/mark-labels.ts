import type { PlanOptions } from '#timeline'

/** The labels after conflict markers. Undo, redo and switch all write what they restore. */
export const MARK_LABELS: NonNullable<PlanOptions['labels']> = {
  ours: 'your version',
  theirs: 'restored by Retake',
}
