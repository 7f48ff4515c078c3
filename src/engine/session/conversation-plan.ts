import type { PlannedStep } from '#store'
import type { TurnId } from '#timeline'
import type { BranchSession, PendingMove } from '../project/index.ts'

/** What becomes of the conversation, or of sessions, in an operation. */
export type ConversationPlan =
  | {
      readonly kind: 'move' | 'empty'
      readonly step: PlannedStep
      /** The turn whose prompt stays without its answer. */
      readonly keeps?: TurnId
    }
  /** Afterwards, when the agent that has the session open has left it. */
  | { readonly kind: 'pending'; readonly move: Omit<PendingMove, 'operation'> }
  /** Back to where the agent is: what was pending is not any more. */
  | { readonly kind: 'withdraw' }
  | SessionsPlan
  | TitlePlan
  | { readonly kind: 'none' }

/** A session comes into being, or goes; the head of the one it comes from stays. */
export interface SessionsPlan {
  readonly kind: 'branch' | 'unbranch'
  readonly step: PlannedStep
  readonly branch: BranchSession
  /** Why the conversation goes on there, although the user asked for no other session. */
  readonly because?: string
}

/** The rows that give a session its title. It is the agent's to show, so it is in the agent's file. */
export interface TitlePlan {
  readonly kind: 'title'
  readonly step: PlannedStep
  readonly title: string | null
}
