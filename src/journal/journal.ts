import { Failure } from '#failure'
import type { PinnedRoot } from '#disk'
import type { Operation, PlannedStep, StepTaker, Store, Writer } from '#store'
import type { Progress, ProjectPath, Value } from '#timeline'
import type { Change, DirectoryWishes } from './order.ts'

// J1  The old content of every path, and what is to be done, are durable before the first file of
//     the project is touched.
// J2  Every new file lies ready, synced and read back, before the first path is changed.
// J3  A path changes by rename aside and link without replacing: nothing is ever written over.
// J4  Every step looks at what is there and can run twice with the same result.
// J5  `committed` is written after every touched directory is synced and everything was read
//     back, in one transaction with the caller's rows.
// J6  The conversation's step is taken once, before the commit; from then on there is no way back,
//     only forward.
// J7  What somebody else wrote meanwhile stays at its path and is reported; what it displaced is
//     in the store.
// J8  At most one operation of a project is unfinished.
//
//   intent ──▶ staged ──▶ applied ──▶ committed          recover() takes the four on the left to
//     │           │          │                           one of the two that end a line
//     └───────────┴──────────┴─▶ rolling-back ──▶ rolled-back
//
// `applied` is only written when something is done to the conversation. An operation is `tidy` when
// none of its files lies beside its targets any more.

export interface Journal {
  readonly store: Store
  readonly root: PinnedRoot
  /** Only the holder of the lock may apply or recover. */
  readonly writer: Writer
  readonly conversations: StepTaker
  /**
   * Writes the caller's own rows (cells, links, moves) in the transaction that commits. It gets the
   * operation as recorded, with what became of each path, because after a crash another process
   * calls it: everything it needs must be in `details`.
   */
  commit(operation: Operation): void
  now(): number
  /** A name for an operation's files that nobody can guess and plant. */
  newTag(): string
  /** Bytes that must stay free on every disk written to. */
  readonly reserve: number
}

/** How a caller follows a long operation and stops it. */
export interface Running {
  readonly signal?: AbortSignal | undefined
  readonly progress?: ((progress: Progress) => void) | undefined
}

/** Everything an operation will do. */
export interface OperationPlan {
  readonly verb: string
  readonly session: string | null
  readonly inverts?: number
  /** JSON that is recorded and handed to `commit`. */
  readonly details: unknown
  readonly changes: readonly Change[]
  readonly directories?: DirectoryWishes
  readonly conversation?: PlannedStep
}

/** Why a plan cannot be carried out; nothing has been touched. */
export interface Refusal {
  /** Null when it is not about one path. */
  readonly path: ProjectPath | null
  readonly why:
    | 'changed' // what stands there is not what the plan expects: the plan is stale
    | 'conversation-changed'
    | 'unknown-value'
    | 'content-missing'
    | 'hard-linked'
    | 'special-file'
    | 'directory-in-the-way'
    | 'parent-in-the-way'
    | 'other-file-system'
    | 'protected'
    | 'not-writable'
    | 'not-readable'
    | 'other-owner'
    | 'too-big'
    | 'no-space'
  readonly found?: Value
}

/** A path where somebody else's content was kept. */
export interface KeptPath {
  readonly path: ProjectPath
  readonly found: Value
}

export type ApplyOutcome =
  | {
      readonly kind: 'done'
      readonly operation: Operation
      readonly kept: readonly KeptPath[]
    }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  | {
      readonly kind: 'rolled-back'
      readonly operation: Operation
      readonly because: Failure
      readonly kept: readonly KeptPath[]
    }

/** There is no way to say how it ended; the next start finds out and finishes it. */
export function unfinished(cause: unknown): Failure {
  return new Failure('operation-unfinished', 'The operation was interrupted before its end.', {
    hint: 'Nothing is lost. The next start of Retake finishes it or takes it back.',
    cause,
  })
}
