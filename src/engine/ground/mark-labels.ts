import type { PlanOptions } from '#timeline'

/** What stands behind the markers of a conflict. */
export const MARK_LABELS: NonNullable<PlanOptions['labels']> = { ours: 'yours', theirs: 'put back' }
