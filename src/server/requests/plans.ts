import { Failure } from '#failure'
import type { PlannedOperation } from '#engine'
import type { ReceiptReport } from '#timeline'

/** A plan that somebody looks at, and what became of it. */
export interface KeptPlan {
  readonly planned: PlannedOperation
  /** Set while it is applied and after: who asks again gets the same receipt. */
  applied: Promise<ReceiptReport> | null
}

/** Plans hold the texts they were made from; so few are kept that they cannot fill the memory. */
const MOST = 32

export interface Plans {
  keep(planned: PlannedOperation): void
  get(id: string): KeptPlan
}

export function openPlans(): Plans {
  const kept = new Map<string, KeptPlan>()
  return {
    keep(planned) {
      const { id } = planned.report
      // The same plan made again is a new intention: it must not answer with an old receipt.
      kept.delete(id)
      kept.set(id, { planned, applied: null })
      for (const oldest of kept.keys()) if (kept.size > MOST) kept.delete(oldest)
    },
    get(id) {
      const plan = kept.get(id)
      if (plan !== undefined) return plan
      throw new Failure('plan-not-found', 'That plan has expired.', {
        hint: 'Plan again. Plans are kept for a limited time, and not across a restart.',
      })
    },
  }
}
