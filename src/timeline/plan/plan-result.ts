import type { Doubt, FileChange, MoveConflictReason, OperationId } from '../cell/index.ts'
import type { FactChange, ProjectPath, TurnId } from '../data/index.ts'
import type { Choice, ConflictRegion, ConflictSides, KeptMine } from '../text/index.ts'
import type { CellChange, LatestMoveChange, Place, PlanVerb } from './plan-world.ts'

// Every code below is stable: scripts match on it, and the words for people are made elsewhere.

export type Outcome = Plan | NothingToDo | Refused

/** Everything an operation would do, computed without touching anything. */
export interface Plan {
  readonly kind: 'plan'
  readonly verb: PlanVerb
  readonly from: Place
  readonly to: Place
  /** The turns that are passed, in the order their cells move. */
  readonly turns: readonly TurnId[]
  /** By path. */
  readonly files: readonly FilePlan[]
  /**
   * Paths in conflict. While there is one, nothing may be written, and `cells` and `latestMoves`
   * are empty, so that half of an operation cannot be recorded by mistake (sem.M7).
   */
  readonly conflicts: readonly ProjectPath[]
  readonly cells: readonly CellChange[]
  readonly latestMoves: readonly LatestMoveChange[]
  readonly facts: readonly FactChange[]
  /** Directories the moved turns made that would stand empty; removed only if they really are. */
  readonly emptied: readonly ProjectPath[]
  /** Directories that stand again, also empty ones. */
  readonly made: readonly PlannedDirectory[]
  readonly unsure: readonly UnsureLink[]
  readonly notCovered: readonly NotCovered[]
  readonly asks: readonly Ask[]
  readonly warnings: readonly Warning[]
  /** The operation that this one undoes. */
  readonly inverts: OperationId | null
  /** The highest number this plan uses; the ledger goes on after it. */
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
  /** How often the passed turns changed it. */
  readonly timesChanged: number
  readonly why: FileReason | null
  /** The choice that settled a conflict here. */
  readonly chosen: Choice | null
  /** For a conflict: what can be chosen, and what is proposed. */
  readonly choices: readonly Choice[]
  readonly proposed: Choice | null
  readonly regions: readonly ConflictRegion[]
  /** The turn outside of the plan that changed it; absent where the user did, or that is not known. */
  readonly changedBy?: ChangedBy
  /** What it is between. Null where there is no conflict. */
  readonly sides: ConflictSides | null
  /** Other paths that the conflict is about. */
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
  | 'needs-consent' // it executes when the agent, an editor or git next looks (S9)
  | 'already-so' // what should stand there stands there
  | 'kept-mine' // it was chosen to leave it out of the operation
  | 'removes-outside-edits' // what nobody's turn wrote would go

export type TreeReason =
  | 'file-is-parent' // a file would stand where a directory is needed, or the other way round
  | 'case-twin' // two names that some file systems take for one

export interface NotCovered {
  readonly path: ProjectPath
  readonly turns: readonly TurnId[]
  readonly why: NotCoveredReason
  /** Why nobody knows it, in words. */
  readonly because?: string
  /** What stood there before is kept: only what the turn left is unknown. */
  readonly isBeforeKept?: true
}

export type NotCoveredReason =
  | 'unknown-before' // nobody knows what stood there, so nothing can be put back (sem.A6)
  | 'unreadable' // nobody can say what stands there now
  | 'never-written' // git's own files (sem.A9)

export interface UnsureLink {
  readonly path: ProjectPath
  readonly turn: TurnId
  readonly doubt: Doubt
}

/** Questions to put before applying; the default answer is to do nothing. */
export type Ask =
  | { readonly code: 'unsure-links'; readonly paths: readonly ProjectPath[] }
  | { readonly code: 'other-git-branch'; readonly turns: readonly TurnId[] }
  | { readonly code: 'removes-outside-edits'; readonly paths: readonly ProjectPath[] }
  /** There are prompts since: files can go back, the conversation stays (sem.O2). */
  | { readonly code: 'conversation-stays' }

export type Warning =
  | { readonly code: 'merged' | 'marked'; readonly path: ProjectPath }
  | { readonly code: 'kept-mine'; readonly path: ProjectPath; readonly what: KeptMine }
  | { readonly code: 'only-whitespace'; readonly path: ProjectPath }
  | { readonly code: 'reverted-turns-passed'; readonly turns: readonly TurnId[] }

/** An expected outcome, and no failure. */
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
    | 'not-invertible' // everything it would move has a side that nobody knows
    | 'unknown-turn' // not a turn of this line
    | 'unknown-operation'
    | 'parts-changed' // a part of a file is not there any more, or is another one
    | 'already-undone'
    | 'later-operations' // moved one of its cells or the head after it (sem.O3)
    | 'cells-moved-since' // by the agent itself, outside of Retake's operations (sem.C5)
  readonly operations: readonly OperationId[]
  readonly notCovered: readonly NotCovered[]
}
