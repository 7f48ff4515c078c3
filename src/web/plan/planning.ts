import { create } from 'zustand'
import type { PlanBody, ReceiptView } from '#protocol'

/** An operation that the user asked for, to be planned and confirmed. */
export interface PlanRequest {
  readonly session: string
  readonly body: PlanBody
  /** Asked for by key or voice: shows the plan even if it needs no confirmation (B13). */
  readonly byKey?: boolean
  /** Called after it was applied and reported. */
  readonly onDone?: () => void
}

interface Planning {
  readonly wanted: PlanRequest | null
  /** Null while there is nothing to confirm: no dialog, no plan yet, or already applying. */
  readonly decision: Decision | null
}

/** What confirming the open dialog would do; voice confirms without a click. */
interface Decision {
  /** Files that need a choice first. */
  readonly undecided: number
  carryOut(): Promise<ReceiptView>
}

export const usePlanning = create<Planning>(() => ({ wanted: null, decision: null }))

export function ask(wanted: PlanRequest): void {
  usePlanning.setState({ wanted })
}

export function stopAsking(): void {
  usePlanning.setState({ wanted: null, decision: null })
}

export function offerDecision(decision: Decision | null): void {
  usePlanning.setState({ decision })
}
