import {
  numberOf,
  type NothingToDo,
  type Plan,
  type PlanReport,
  type TurnId,
  type TurnName,
} from '#timeline'
import type { ConversationPlan } from './conversation.ts'
import type { ProjectContents } from './project-contents.ts'
import type { ReadSession } from './read-session.ts'
import type { Asked, AskedHow } from './request.ts'

/** A plan with all it was made from: what `applyOperation` needs, and what people are shown. */
export interface PlannedOperation {
  readonly kind: 'planned'
  /** Tells this plan from an equal one that somebody else made at the same time. */
  readonly request: string
  readonly asked: Asked
  readonly how: AskedHow
  readonly session: ReadSession
  readonly plan: Plan
  /** Turns are left behind, rather than come back to. */
  readonly back: boolean
  readonly conversation: ConversationPlan
  readonly contents: ProjectContents
  readonly report: PlanReport
}

export type Planned = PlannedOperation | (NothingToDo & { readonly session: ReadSession })

/** Whether the conversation is emptied, its first turn included. */
export function empties(conversation: ConversationPlan): boolean {
  if (conversation.kind === 'pending') return conversation.move.target === null
  return conversation.kind === 'empty'
}

export function turnName({ tree }: ReadSession, id: TurnId | null): TurnName | null {
  return id === null ? null : { id, number: numberOf(tree, id) }
}
