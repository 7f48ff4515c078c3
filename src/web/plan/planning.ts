import { create } from 'zustand'
import type { PlanBody } from '#protocol'

/** Something that somebody wants to do to a session, on its way to be planned and confirmed. */
export interface Wanted {
  readonly session: string
  readonly body: PlanBody
  /** Asked for by a key: then even what would need no question is shown first (B13). */
  readonly byKey?: boolean
}

export const usePlanning = create<{ wanted: Wanted | null }>(() => ({ wanted: null }))

export function ask(wanted: Wanted): void {
  usePlanning.setState({ wanted })
}

export function stopAsking(): void {
  usePlanning.setState({ wanted: null })
}
