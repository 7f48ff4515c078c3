import type { PlannedStep } from '#store'
import type { TurnId } from '#timeline'
import type { BranchSession, PendingMove } from '../project/index.ts'

/** What an operation does to the conversation, or to sessions. */
export type ConversationPlan =
  | {
      readonly kind: 'move' | 'empty'
      readonly step: PlannedStep
      /** The turn whose prompt stays without its answer. */
      readonly keeps?: TurnId
    }
  /** Done once the running agent has left the session. */
  | {
      readonly kind: 'pending'
      readonly move: Omit<PendingMove, 'operation'>
      /** Retake then reopens the agent itself. */
      readonly reopens: boolean
    }
  /** The agent is already at the target, so the pending move is dropped. */
  | { readonly kind: 'withdraw' }
  | SessionsPlan
  | TitlePlan
  | { readonly kind: 'none' }

/** A session is created or removed; the head of the session it came from stays. */
export interface SessionsPlan {
  readonly kind: 'branch' | 'unbranch'
  readonly step: PlannedStep
  readonly branch: BranchSession
  /** Why the conversation continues in a new session that the user did not ask for. */
  readonly because?: string
}

/** The rows that set a session's title. The agent shows it, so it goes into the agent's file. */
export interface TitlePlan {
  readonly kind: 'title'
  readonly step: PlannedStep
  readonly title: string | null
}
