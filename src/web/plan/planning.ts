import { create } from 'zustand'
import type { PlanBody, ReceiptView } from '#protocol'

/** Something that somebody wants to do to a session, on its way to be planned and confirmed. */
export interface Wanted {
  readonly session: string
  readonly body: PlanBody
  /** Asked for by a key or a word: then even what would need no question is shown first (B13). */
  readonly byKey?: boolean
  /** Called after it was done and told. */
  readonly onDone?: () => void
}

interface Planning {
  readonly wanted: Wanted | null
  /** Null while there is nothing to say yes to: no dialog, no plan in it yet, or it is being done. */
  readonly decision: Decision | null
}

/** What a yes to the open dialog would do; voice answers without a click. */
interface Decision {
  /** Files that need a choice first. */
  readonly undecided: number
  carryOut(): Promise<ReceiptView>
}

export const usePlanning = create<Planning>(() => ({ wanted: null, decision: null }))

export function ask(wanted: Wanted): void {
  usePlanning.setState({ wanted })
}

export function stopAsking(): void {
  usePlanning.setState({ wanted: null, decision: null })
}

export function offerDecision(decision: Decision | null): void {
  usePlanning.setState({ decision })
}
