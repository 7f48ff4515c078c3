import type { Doubt, FileChange, MoveConflictReason, OperationId } from '../cell/index.ts'
import type { FactChange, ProjectPath, TurnId } from '../data/index.ts'
import type { Choice, ConflictRegion, ConflictSides, KeptMine } from '../text/index.ts'
import type { CellChange, LatestMoveChange, Place, PlanVerb } from './plan-world.ts'

// Every code below is stable, because scripts match on it. The messages for users are made
// elsewhere.

export type Outcome = Plan | NothingToDo | Refused

/** Everything an operation would do, computed without changing anything. */
export interface Plan {
  readonly kind: 'plan'
  readonly verb: PlanVerb
  readonly from: Place
  readonly to: Place
  /** The turns that are passed, in the order in which their cells move. */
  readonly turns: readonly TurnId[]
  /** By path. */
  readonly files: readonly FilePlan[]
  /**
   * Paths in conflict. If there are any, nothing may be written, and `cells` and `latestMoves` are
   * empty, so that half an operation is never recorded (sem.M7).
   */
  readonly conflicts: readonly ProjectPath[]
  readonly cells: readonly CellChange[]
  readonly latestMoves: readonly LatestMoveChange[]
  readonly facts: readonly FactChange[]
  /**
   * Directories made by the moved turns that would be empty. They are removed only if they really
   * are.
   */
  readonly emptied: readonly ProjectPath[]
  /** Directories that come back, including empty ones. */
  readonly made: readonly PlannedDirectory[]
  readonly unsure: readonly UnsureLink[]
  readonly notCovered: readonly NotCovered[]
  readonly asks: readonly Ask[]
  readonly warnings: readonly Warning[]
  /** The operation that this one undoes. */
  readonly inverts: OperationId | null
  /** The highest sequence number in this plan. The ledger continues after it. */
  readonly seq: number
}

export interface PlannedDirectory {
  readonly path: ProjectPath
  readonly mode: number
}

export type FileVerb = 'restore' | 'create' | 'delete' | 'merge' | 'conflict' | 'skip'

export interface FilePlan extends FileChange {
  readonly verb: FileVerb
  readonly added: number
  readonly removed: number
  readonly linesNow: number
  readonly linesAfter: number
  readonly binary: boolean
  /** The number of times the passed turns changed it. */
  readonly timesChanged: number
  readonly why: FileReason | null
  /** The choice that resolved a conflict here. */
  readonly chosen: Choice | null
  /** For a conflict: the possible choices, and the proposed one. */
  readonly choices: readonly Choice[]
  readonly proposed: Choice | null
  readonly regions: readonly ConflictRegion[]
  /** The turn outside of the plan that changed it. Missing if the user did, or if it is unknown. */
  readonly changedBy?: ChangedBy
  /** The sides of the conflict. Null if there is none. */
  readonly sides: ConflictSides | null
  /** Other paths in the same conflict. */
  readonly with: readonly ProjectPath[]
}

/** A turn of this session or of another one. */
export interface ChangedBy {
  readonly session: string
  readonly turn: number | null
}

export type FileReason =
  | MoveConflictReason
  | TreeReason
  | 'needs-consent' // the agent, an editor or git would run it (S9)
  | 'already-so' // the file already has the planned content
  | 'kept-mine' // the user chose to leave it out
  | 'removes-outside-edits' // edits that no turn made would be lost

export type TreeReason =
  | 'file-is-parent' // a file would be where a directory is needed, or vice versa
  | 'case-twin' // two names that are equal on some file systems

export interface NotCovered {
  readonly path: ProjectPath
  readonly turns: readonly TurnId[]
  readonly why: NotCoveredReason
  /** Why it is unknown, in words. */
  readonly because?: string
  /** Retake has the content from before. Only what the turn left is unknown. */
  readonly isBeforeKept?: true
}

export type NotCoveredReason =
  | 'unknown-before' // the content before is unknown, so it cannot be restored (sem.A6)
  | 'unreadable' // the present file cannot be read
  | 'never-written' // git's own files (sem.A9)

export interface UnsureLink {
  readonly path: ProjectPath
  readonly turn: TurnId
  readonly doubt: Doubt
}

/** Questions to ask before applying. The default answer is to do nothing. */
export type Ask =
  | { readonly code: 'unsure-links'; readonly paths: readonly ProjectPath[] }
  | { readonly code: 'other-git-branch'; readonly turns: readonly TurnId[] }
  | { readonly code: 'removes-outside-edits'; readonly paths: readonly ProjectPath[] }
  /** There are newer prompts: files can go back, the conversation stays (sem.O2). */
  | { readonly code: 'conversation-stays' }

export type Warning =
  | { readonly code: 'merged' | 'marked'; readonly path: ProjectPath }
  | { readonly code: 'kept-mine'; readonly path: ProjectPath; readonly what: KeptMine }
  | { readonly code: 'only-whitespace'; readonly path: ProjectPath }
  | { readonly code: 'reverted-turns-passed'; readonly turns: readonly TurnId[] }

/** An expected outcome, not a failure. */
export interface NothingToDo {
  readonly kind: 'nothing-to-do'
  readonly verb: PlanVerb
  readonly why: 'at-start' | 'at-tip' | 'already-there' | 'no-operation'
  readonly unsure: readonly UnsureLink[]
}

export interface Refused {
  readonly kind: 'refused'
  readonly verb: PlanVerb
  readonly why:
    | 'not-invertible' // everything it would move has an unknown side
    | 'unknown-turn' // not a turn of this line
    | 'unknown-operation'
    | 'parts-changed' // a part of a file is gone or has changed
    | 'already-undone'
    | 'later-operations' // moved one of its cells or the head after it (sem.O3)
    | 'cells-moved-since' // by the agent itself, outside of Retake's operations (sem.C5)
  readonly operations: readonly OperationId[]
  readonly notCovered: readonly NotCovered[]
}
