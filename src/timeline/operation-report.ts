import type { FilePlan } from './plan-result.ts'
import type { PlanVerb } from './plan-world.ts'
import type { TurnId } from './turn.ts'

/** A turn as people and programs name it. */
export interface TurnName {
  readonly id: TurnId
  readonly number: number | null
}

/** A plan, said for people and programs. */
export interface PlanReport {
  readonly id: string
  readonly verb: PlanVerb
  readonly session: string
  readonly from: TurnName | null
  readonly to: TurnName | null
  /** The prompt that the session goes back to before, or forward to. */
  readonly target: { readonly prompt: string; readonly at: string | null } | null
  readonly turns: number
  readonly messages: number
  readonly conversation: 'move' | 'pending' | 'none'
  readonly files: readonly FilePlan[]
  readonly notCovered: readonly string[]
  readonly warnings: readonly string[]
}

/** What an operation verifiably did, and what it could not do. */
export interface ReceiptReport {
  /** Null when there was nothing to do and so no operation. */
  readonly operation: number | null
  readonly verb: PlanVerb
  readonly session: string
  readonly from: TurnName | null
  readonly to: TurnName | null
  readonly turnsUndone: number
  readonly turnsRedone: number
  readonly messagesRemoved: number
  readonly filesReverted: readonly string[]
  readonly filesRemoved: readonly string[]
  /** Files in which somebody else's changes were kept. */
  readonly filesKept: readonly string[]
  readonly snapshotBefore: string | null
  readonly snapshotRestored: string | null
  readonly conversation: 'moved' | 'pending' | 'unchanged'
  readonly notCovered: readonly string[]
  /** The undone prompt, to be edited and sent again. */
  readonly prompt: string | null
  /** Why nothing was done, when nothing was. */
  readonly nothing: string | null
}
