import type { PlanOptions } from '#timeline'

/** The labels after conflict markers. */
export const MARK_LABELS: NonNullable<PlanOptions['labels']> = { ours: 'yours', theirs: 'put back' }
