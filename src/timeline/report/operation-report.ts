import type { Remedy } from '#failure'
import type { KeptBy } from './changed-by.ts'
import type { LeftReport } from './left-report.ts'
import type { FilePlan, PlanVerb } from '../plan/index.ts'
import type { BranchName, FileDiff } from './report.ts'
import type { ContentId, ProjectPath, TurnName, Value } from '../data/index.ts'

/** Another session that the conversation goes on in, where the agent's own could not be moved. */
export interface Continues {
  readonly session: string
  readonly title: string
  /** A sentence without its end. */
  readonly because: string
}

/** A plan, said for people and programs. */
export interface PlanReport {
  readonly id: string
  readonly verb: PlanVerb
  readonly session: string
  readonly from: TurnName | null
  readonly to: TurnName | null
  /** The files go before turn 1 too; the conversation keeps that turn. */
  readonly beforeFirst?: true
  /** The branches it is about, by the names they have now. */
  readonly branches: readonly BranchName[]
  /** The name it gives or takes. */
  readonly name: string | null
  /** The prompt that the session goes back to before, or forward to. */
  readonly target: { readonly prompt: string; readonly at: string | null } | null
  readonly turns: number
  readonly messages: number
  readonly conversation: 'move' | 'pending' | 'none'
  readonly continues?: Continues
  readonly files: readonly FilePlan[]
  /** Directories that come and go beside those of files: empty ones that the turns made or removed. */
  readonly directories?: readonly DirectoryPlan[]
  /** Everything that it leaves as it is. */
  readonly left: readonly LeftReport[]
  /** The paths of `left` that may not be the turns' changes. */
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
  /** It follows when the agent is idle again. */
  | { readonly state: 'soon' }
  /** The agent's terminal asks first: its input box may hold text. */
  | { readonly state: 'asks' }
  | { readonly state: 'stays'; readonly why: ReopenRefusal }

export type ReopenRefusal =
  /** Commands in the background would end with it. */
  | 'background'
  | 'busy'
  /** It cannot be started again with the arguments that it was given. */
  | 'arguments'
  | 'not-ended'
  | 'not-moved'
  | 'not-started'

/** What an operation verifiably did, and what it could not do. */
export interface ReceiptReport {
  /** Null when there was nothing to do and so no operation. */
  readonly operation: number | null
  readonly verb: PlanVerb
  readonly session: string
  readonly from: TurnName | null
  readonly to: TurnName | null
  readonly branches: readonly BranchName[]
  readonly name: string | null
  /** With the first turn, if its files are out. */
  readonly turnsUndone: number
  readonly turnsRedone: number
  readonly messagesRemoved: number
  readonly filesReverted: readonly string[]
  readonly filesRemoved: readonly string[]
  /** Files in which somebody else's changes were kept. */
  readonly filesKept: readonly string[]
  /** Those of `filesKept` whose changes are another turn's, and not the user's. */
  readonly keptBy?: readonly KeptBy[]
  readonly snapshotBefore: string | null
  readonly snapshotRestored: string | null
  readonly conversation: 'moved' | 'pending' | 'unchanged'
  /** What became of an agent that has the session open under `retake claude`. */
  readonly reopen?: Reopen
  readonly continues?: Continues
  /** The first turn's files are out, and the conversation keeps that turn (sem.C9). */
  readonly firstStays: boolean
  /** Everything that it left as it was; what its plan said. */
  readonly left: readonly LeftReport[]
  readonly notCovered: readonly string[]
  /** What its plan warned of, such as commits that stay. */
  readonly warnings?: readonly string[]
  /** Files that have conflict markers now, and the line of the first. */
  readonly marked?: readonly { readonly path: string; readonly line: number }[]
  /** The undone prompt, to be edited and sent again. */
  readonly prompt: string | null
  /** Why nothing was done, when nothing was. */
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
  /** When gc took contents that it needs: it cannot be undone any more. */
  readonly prunedAt: string | null
  /** Why it cannot be undone now; null when it can. */
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

/** An operation with its files, line by line. */
export interface ShownOperation {
  readonly operation: OperationReport
  /** From before it to after it. */
  readonly did: readonly FileDiff[]
  /** From before it to what stands there now. */
  readonly since: readonly FileDiff[]
}

/** A content of one path that Retake holds, and when it stood there. */
export interface HeldContent {
  readonly id: ContentId
  readonly size: number
  /** Whose change brought or replaced it, in words. */
  readonly stood: readonly string[]
  readonly at: string | null
  readonly isNow: boolean
  /** When gc put it aside; it goes for good some days later. */
  readonly aside: string | null
}
