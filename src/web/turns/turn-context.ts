import type { Line, TurnView } from './read-line.ts'

/** What the page around the turns can do for them. */
export interface TurnContext {
  readonly session: string
  readonly line: Line
  /** Why nothing can be moved now; null when it can. */
  readonly blocked: string | null
  /** Ends the turn that this server runs, when one does. */
  readonly stopFirst: (() => Promise<void>) | null
  readonly openBranches: (turn: TurnView) => void
  readonly nameTurn: (turn: TurnView) => void
  readonly branchFrom: (turn: TurnView) => void
  /** Shows two turns side by side. */
  readonly compare: (a: TurnView, b: TurnView) => void
}
