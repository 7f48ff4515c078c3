import type { Line, TurnView } from './read-line.ts'

/** What the page offers to the turns in it. */
export interface TurnContext {
  readonly session: string
  readonly line: Line
  /** Why no operation can run now; null if one can. */
  readonly blocked: string | null
  /** Stops the turn that this server runs, if any. */
  readonly stopFirst: (() => Promise<void>) | null
  readonly openBranches: (turn: TurnView) => void
  readonly nameTurn: (turn: TurnView) => void
  readonly branchFrom: (turn: TurnView) => void
  /** Shows two turns side by side. */
  readonly compare: (a: TurnView, b: TurnView) => void
}
