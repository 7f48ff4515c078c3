import { Failure } from '#failure'
import type { PinnedRoot } from '#disk'
import type { Operation, PlannedStep, StepRunner, Store, Writer } from '#store'
import type { Progress, ProjectPath, Value } from '#timeline'
import type { Change, DirectoryRequests } from './order.ts'

// J1  The old content of every path and the planned steps are durable before the first file of the
//     project changes.
// J2  Every new file is staged, synced and read back before the first path changes.
// J3  A path changes by renaming the old file into quarantine and linking the new one. Neither call
//     overwrites a file.
// J4  Every step of a rollback checks the present files first, so running it twice gives the same
//     result.
// J5  `committed` is written after all changed directories are synced and all paths are read back,
//     in one transaction with the caller's rows.
// J6  The conversation's step runs once, before the commit. After it the operation can only go
//     forward.
// J7  What others write meanwhile stays at its path and is reported. The content that it replaced is
//     in the store.
// J8  At most one operation per project is unfinished.
//
//   intent ──▶ staged ──▶ applied ──▶ committed          recover() brings every other state to
//     │           │          │                           `committed` or `rolled-back`
//     └───────────┴──────────┴─▶ rolling-back ──▶ rolled-back
//
// After a crash only `applied` goes forward. It is only written if the operation moves the
// conversation. An operation is `tidy` when none of its own files are left next to its targets.

export interface Journal {
  readonly store: Store
  readonly root: PinnedRoot
  /** Only the holder of the lock may apply or recover. */
  readonly writer: Writer
  readonly conversations: StepRunner
  /**
   * Writes the caller's own rows (cells, links, moves) in the committing transaction. It receives
   * the operation as recorded, with the outcome of each path. After a crash another process calls
   * it, so everything it needs must be in `details`.
   */
  commit(operation: Operation): void
  now(): number
  /** A random name for an operation's files, so that other programs cannot guess and plant one. */
  newTag(): string
  /** Bytes that must stay free on every disk written to. */
  readonly reserve: number
}

/** How a caller watches and stops a long operation. */
export interface Running {
  readonly signal?: AbortSignal | undefined
  readonly progress?: ((progress: Progress) => void) | undefined
}

/** Everything an operation will do. */
export interface OperationPlan {
  readonly verb: string
  readonly session: string | null
  readonly inverts?: number
  /** JSON that is recorded and passed to `commit`. */
  readonly details: unknown
  readonly changes: readonly Change[]
  readonly directories?: DirectoryRequests
  readonly conversation?: PlannedStep
}

/** Why a plan cannot be applied. Nothing has changed. */
export interface Refusal {
  /** Null when it is not about one path. */
  readonly path: ProjectPath | null
  readonly why:
    | 'changed' // the path does not hold what the plan expects: the plan is stale
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

/** A path that holds content from someone else, which Retake kept. */
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

/** The outcome is unknown here. The next start finds out and finishes the operation. */
export function unfinished(cause: unknown): Failure {
  return new Failure('operation-unfinished', 'The operation was interrupted before its end.', {
    hint: 'Nothing is lost. Retake finishes it or rolls it back at its next start.',
    cause,
  })
}
