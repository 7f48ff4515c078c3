import type { Remedy } from '#failure'
import type { KeptBy } from './changed-by.ts'
import type { LeftReport } from './left-report.ts'
import type { FilePlan, PlanVerb } from '../plan/index.ts'
import type { BranchName, FileDiff } from './report.ts'
import type { ContentId, ProjectPath, TurnName, Value } from '../data/index.ts'

/** The new session in which the conversation continues, if the agent's own could not be moved. */
export interface Continues {
  readonly session: string
  readonly title: string
  /** A clause without a final period. */
  readonly because: string
}

/** A plan for users and programs. */
export interface PlanReport {
  readonly id: string
  readonly verb: PlanVerb
  readonly session: string
  readonly from: TurnName | null
  readonly to: TurnName | null
  /** The files go back to before turn 1. The conversation keeps that turn. */
  readonly beforeFirst?: true
  /** The branches it concerns, by their present names. */
  readonly branches: readonly BranchName[]
  /** The name that it sets or removes. */
  readonly name: string | null
  /** The prompt before which the session goes back, or to which it goes forward. */
  readonly target: { readonly prompt: string; readonly at: string | null } | null
  readonly turns: number
  readonly messages: number
  readonly conversation: 'move' | 'pending' | 'none'
  /** Pending, but Retake reopens the agent there: it runs under `retake claude`. */
  readonly reopens?: true
  readonly continues?: Continues
  readonly files: readonly FilePlan[]
  /**
   * Directories that are created or deleted without files: empty ones that the turns made or
   * removed.
   */
  readonly directories?: readonly DirectoryPlan[]
  /** Everything that it leaves alone. */
  readonly left: readonly LeftReport[]
  /** The paths in `left` that may not be the turns' changes. */
  readonly unsure?: readonly string[]
  /** The rest of `left`, in words. */
  readonly notCovered: readonly string[]
  readonly warnings: readonly string[]
}

export interface DirectoryPlan {
  readonly path: string
  readonly verb: 'create' | 'delete'
}

/** Whether an agent under `retake claude` was opened again where the conversation is now. */
export type Reopen =
  | { readonly state: 'reopened' }
  /** It reopens when the agent is idle again. */
  | { readonly state: 'soon' }
  /** The agent's terminal asks first: its input box may hold text. */
  | { readonly state: 'asks' }
  | { readonly state: 'stays'; readonly why: ReopenRefusal }

export type ReopenRefusal =
  /** Background commands would end with it. */
  | 'background'
  | 'busy'
  /** It cannot be started again with its arguments. */
  | 'arguments'
  | 'not-ended'
  | 'not-moved'
  | 'not-started'

/** What an operation did, verified, and what it could not do. */
export interface ReceiptReport {
  /** Null if there was nothing to do, and so no operation. */
  readonly operation: number | null
  readonly verb: PlanVerb
  readonly session: string
  readonly from: TurnName | null
  readonly to: TurnName | null
  readonly branches: readonly BranchName[]
  readonly name: string | null
  /** Includes the first turn if its files are out. */
  readonly turnsUndone: number
  readonly turnsRedone: number
  readonly messagesRemoved: number
  readonly filesReverted: readonly string[]
  readonly filesRemoved: readonly string[]
  /** Files in which someone else's changes were kept. */
  readonly filesKept: readonly string[]
  /** The files in `filesKept` whose kept changes are another turn's, not the user's. */
  readonly keptBy?: readonly KeptBy[]
  readonly snapshotBefore: string | null
  readonly snapshotRestored: string | null
  readonly conversation: 'moved' | 'pending' | 'unchanged'
  /** The result for an agent that has the session open under `retake claude`. */
  readonly reopen?: Reopen
  readonly continues?: Continues
  /** The first turn's files are out, and the conversation keeps that turn (sem.C9). */
  readonly firstStays: boolean
  /** Everything that it left alone, as its plan said. */
  readonly left: readonly LeftReport[]
  readonly notCovered: readonly string[]
  /** The warnings of its plan, such as commits that stay. */
  readonly warnings?: readonly string[]
  /** Files with conflict markers now, and the line of the first marker. */
  readonly marked?: readonly { readonly path: string; readonly line: number }[]
  /** The undone prompt, to edit and send again. */
  readonly prompt: string | null
  /** Why nothing was done, if so. */
  readonly nothing: string | null
  /** What to do instead. */
  readonly remedy?: Remedy
}

/** One operation in Retake's own history. */
export interface OperationReport {
  readonly id: number
  readonly verb: PlanVerb
  readonly session: string
  readonly at: string
  readonly state: 'done' | 'undone' | 'rolled-back' | 'unfinished'
  /** Why it was rolled back. */
  readonly because: string | null
  /** The operation that this one undid. */
  readonly inverts: number | null
  /** When gc deleted contents that it needs. It can no longer be undone. */
  readonly prunedAt: string | null
  /** Why it cannot be undone now. Null if it can. */
  readonly stays: string | null
  readonly turns: number
  readonly receipt: ReceiptReport
  readonly files: readonly {
    readonly path: ProjectPath
    readonly pre: Value
    readonly post: Value
    readonly outcome: 'planned' | 'applied' | 'conflict'
    readonly choice: string | null
  }[]
}

/** An operation with the diffs of its files. */
export interface ShownOperation {
  readonly operation: OperationReport
  /** From before the operation to after it. */
  readonly did: readonly FileDiff[]
  /** From before the operation to the present files. */
  readonly since: readonly FileDiff[]
}

/** A stored content of a path, and when the path had it. */
export interface HeldContent {
  readonly id: ContentId
  readonly size: number
  /** The changes that added or replaced it, in words. */
  readonly stood: readonly string[]
  readonly at: string | null
  readonly isNow: boolean
  /** When gc set it aside. It is deleted for good some days later. */
  readonly aside: string | null
}
