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

/** Tells a plan apart from an equal one that another process made at the same time. */
export interface PlanRequestId {
  readonly id: string
  /** The newest operation when the plan was made. The one that applies the plan comes later. */
  readonly after: number
}

export function newRequest(machine: Machine, { store }: Project): PlanRequestId {
  return { id: machine.newId(), after: newestOperation(store) }
}

/** A plan with its inputs, which `applyOperation` needs, and the report that users see. */
export interface PlannedOperation {
  readonly kind: 'planned'
  readonly request: PlanRequestId
  readonly asked: ResolvedCommand
  readonly how: CommandOptions
  readonly session: ReadSession
  readonly plan: Plan
  /** Whether the operation goes back and leaves turns behind. */
  readonly back: boolean
  readonly conversation: ConversationPlan
  readonly contents: ProjectContents
  readonly report: PlanReport
  /** Fingerprint of the state it was made against; choices do not change it. */
  readonly world: string
}

export interface PlannedNothing extends NothingToDo {
  readonly session: ReadSession
  /** Unsure changes that the user could include. */
  readonly left?: readonly LeftReport[]
  /** The files are at another turn than the conversation. */
  readonly filesBehind?: boolean
  /** The session this one was branched from, if that took out file changes that are still out. */
  readonly filesOutOf?: string | null
}

export type Planned = PlannedOperation | PlannedNothing

/** Whether the conversation loses all turns, the first one included. */
export function empties(conversation: ConversationPlan): boolean {
  if (conversation.kind === 'pending') return conversation.move.target === null
  return conversation.kind === 'empty'
}

export function turnName({ tree }: ReadSession, id: TurnId | null): TurnName | null {
  return id === null ? null : { id, number: numberOf(tree, id) }
}
