import { Failure } from '#failure'
import type { PlannedOperation } from '#engine'
import type { ReceiptReport } from '#timeline'

/** A plan that a client is looking at, and its outcome. */
export interface KeptPlan {
  readonly planned: PlannedOperation
  /** Set once it is being applied: a repeated request gets the same receipt. */
  applied: Promise<ReceiptReport> | null
}

/** Plans hold the texts they were made from. The limit keeps them from filling the memory. */
const MAX_PLANS = 32

export interface Plans {
  keep(planned: PlannedOperation): void
  get(id: string): KeptPlan
}

export function openPlans(): Plans {
  const kept = new Map<string, KeptPlan>()
  return {
    keep(planned) {
      const { id } = planned.report
      // Planning the same again is a new intent: it must not return an old receipt.
      kept.delete(id)
      kept.set(id, { planned, applied: null })
      for (const oldest of kept.keys()) if (kept.size > MAX_PLANS) kept.delete(oldest)
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
