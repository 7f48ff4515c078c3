import type { PlanView } from '#protocol'

/** So many files may change without a dialog, when nothing else is in doubt. */
const FEW = 5

/** A plan that one sentence tells completely: it needs no dialog, and a word may carry it out. */
export function isSmall(plan: PlanView): boolean {
  const changed = plan.files.filter(({ verb }) => verb !== 'skip')
  return (
    changed.length <= FEW &&
    changed.every(({ verb }) => verb !== 'conflict') &&
    (plan.unsure ?? []).length === 0 &&
    plan.warnings.length === 0 &&
    plan.continues === undefined
  )
}
