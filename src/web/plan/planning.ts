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

export const usePlanning = create<{ wanted: Wanted | null }>(() => ({ wanted: null }))

export function ask(wanted: Wanted): void {
  usePlanning.setState({ wanted })
}

export function stopAsking(): void {
  usePlanning.setState({ wanted: null })
}

/** What a yes to the dialog that is open would do, for who answers without a hand. */
export interface Decision {
  /** Files that somebody must decide about first. */
  readonly undecided: number
  carryOut(): Promise<ReceiptView>
}

let decision: Decision | null = null

/** Null when there is nothing to say yes to: no dialog, no plan in it yet, or it is being done. */
export function offerDecision(offered: Decision | null): void {
  decision = offered
}

export function offeredDecision(): Decision | null {
  return decision
}
