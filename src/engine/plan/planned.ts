import {
  numberOf,
  type LeftReport,
  type NothingToDo,
  type Plan,
  type PlanReport,
  type TurnId,
  type TurnName,
} from '#timeline'
import type {
  ResolvedCommand,
  CommandOptions,
  ConversationPlan,
  ReadSession,
} from '../session/index.ts'
import type { Machine } from '../ground/index.ts'
import { newestOperation, type Project, type ProjectContents } from '../project/index.ts'

/** Tells a plan from an equal one that somebody else made at the same time. */
export interface PlanRequestId {
  readonly id: string
  /** The newest operation when the plan was made: whatever carries it out comes after that one. */
  readonly after: number
}

export function newRequest(machine: Machine, { store }: Project): PlanRequestId {
  return { id: machine.newId(), after: newestOperation(store) }
}

/** A plan with all it was made from: what `applyOperation` needs, and what people are shown. */
export interface PlannedOperation {
  readonly kind: 'planned'
  readonly request: PlanRequestId
  readonly asked: ResolvedCommand
  readonly how: CommandOptions
  readonly session: ReadSession
  readonly plan: Plan
  /** Turns are left behind, rather than come back to. */
  readonly back: boolean
  readonly conversation: ConversationPlan
  readonly contents: ProjectContents
  readonly report: PlanReport
  /** What it was made against; the same with other choices. */
  readonly world: string
}

export interface PlannedNothing extends NothingToDo {
  readonly session: ReadSession
  /** What there would be to do if the user included it. */
  readonly left?: readonly LeftReport[]
  /** The files of turns are out that the conversation still has. */
  readonly filesBehind?: boolean
  /** The session this one was branched from, if files of its turns are out since. */
  readonly filesOutOf?: string | null
}

export type Planned = PlannedOperation | PlannedNothing

/** Whether the conversation is emptied, its first turn included. */
export function empties(conversation: ConversationPlan): boolean {
  if (conversation.kind === 'pending') return conversation.move.target === null
  return conversation.kind === 'empty'
}

export function turnName({ tree }: ReadSession, id: TurnId | null): TurnName | null {
  return id === null ? null : { id, number: numberOf(tree, id) }
}
