import type { PlanView } from '#protocol'

/** At most this many files may change without a dialog. */
const MAX_FILES = 5

/** A plan that one sentence describes fully: it needs no dialog, and voice may apply it. */
export function isSmall(plan: PlanView): boolean {
  const changed = plan.files.filter(({ verb }) => verb !== 'skip')
  return (
    changed.length <= MAX_FILES &&
    changed.every(({ verb }) => verb !== 'conflict') &&
    (plan.unsure ?? []).length === 0 &&
    plan.warnings.length === 0 &&
    plan.continues === undefined
  )
}
