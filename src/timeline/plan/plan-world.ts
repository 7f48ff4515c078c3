import type { Cell, CellId, FileChange, LatestMove, OperationId } from '../cell/index.ts'
import type {
  Contents,
  FactChange,
  NameFolding,
  ProjectPath,
  TurnId,
  Value,
} from '../data/index.ts'
import type { Choice, MarkLabels, PathChoice } from '../text/index.ts'

export interface LineTurn {
  readonly id: TurnId
  /** The ledger's sequence number when its prompt was sent. */
  readonly seq: number
  /** The git branch on which it changed files, if any. */
  readonly gitBranch?: string | null
}

/**
 * The position of a session. The conversation keeps its first turn (sem.C9): with `beforeFirst`,
 * that turn's files are out although the conversation still has it, and redo starts with it.
 */
export interface Place {
  readonly turn: TurnId | null
  readonly beforeFirst: boolean
  readonly tip: TurnId | null
}

/** What is recorded. It is enough to determine which paths a plan must read. */
export interface Ledger {
  /** The current line, from the first turn through the head to the tip that redo would reach. */
  readonly line: readonly LineTurn[]
  readonly head: TurnId | null
  readonly beforeFirst: boolean
  /**
   * Turns up to the head that are out although the head's files are in, because an operation left a
   * path of a later turn behind (sem.M7). They move in on any route to them, or only forward.
   */
  readonly leftOut?: ReadonlyMap<TurnId, 'any' | 'forward'>
  /** At least the cells of every passed turn, and all cells of their paths. */
  readonly cells: readonly Cell[]
  readonly latestMoves: ReadonlyMap<ProjectPath, LatestMove>
  /** Oldest first. Only an op undo needs them; other verbs may omit them. */
  readonly operations: readonly Operation[]
  /** The highest sequence number used by the ledger. */
  readonly seq: number
}

/** Everything a plan is made from. It is immutable: changed files are another world. */
export interface World extends Ledger {
  readonly contents: Contents
  readonly now: ReadonlyMap<ProjectPath, Value>
  /** Every file and symlink in scope, to find collisions with the plan (sem.M6). */
  readonly present: Iterable<ProjectPath>
  /** Whether the project's volume treats `Readme` and `README` as the same file. */
  readonly folding: NameFolding
  readonly gitBranch?: string | null
}

/** One recorded operation, as far as undoing it needs (sem.O2). */
export interface Operation {
  readonly id: OperationId
  readonly session: string
  /** The ledger's highest sequence number when it was done. */
  readonly seq: number
  readonly verb: PlanVerb
  readonly inverts: OperationId | null
  readonly from: Place
  readonly to: Place
  readonly files: readonly FileChange[]
  readonly cells: readonly CellChange[]
  readonly latestMoves: readonly LatestMoveChange[]
  /** The names and marks that it set. Such an operation moves nothing. */
  readonly facts: readonly FactChange[]
}

export interface CellChange {
  readonly before: Cell
  readonly after: Cell
}

export interface LatestMoveChange {
  readonly path: ProjectPath
  readonly before: LatestMove | null
  readonly after: LatestMove | null
}

export type PlanVerb =
  | 'undo'
  | 'redo'
  | 'rewind'
  | 'switch'
  | 'branch'
  | 'revert'
  | 'revert-off'
  | 'revert-files'
  | 'restore'
  | 'exact'
  | 'op-undo'
  | MarkVerb

/**
 * Verbs that set names and marks of sessions, branches and turns. They move neither files nor
 * conversation.
 */
export type MarkVerb =
  | 'branch-rename'
  | 'branch-delete'
  | 'branch-archive'
  | 'branch-unarchive'
  | 'branch-canonical'
  | 'checkpoint'
  | 'checkpoint-delete'
  | 'session-rename'
  | 'session-delete'
  | 'session-archive'
  | 'session-unarchive'

export interface PlanOptions {
  /** By path. The default is `stop`. Paths that execute need a choice of their own (S9). */
  readonly choices?: ReadonlyMap<ProjectPath, PathChoice>
  readonly onConflict?: 'stop' | Choice
  /** Whether unsure links move with their turn (sem.A5). */
  readonly includeUnsure?: boolean
  readonly labels?: MarkLabels
  /** The operation does more than this plan, so it is not empty even if nothing moves. */
  readonly doesMore?: boolean
}

/** Contents to write, from a snapshot or from cells. Other paths stay unchanged. */
export interface Target {
  /** The ledger's sequence number at the time of these contents. */
  readonly seq: number
  readonly values: ReadonlyMap<ProjectPath, Value>
  /** Directories are restored too. */
  readonly wholeTree?: true
  /** The side at that time of cells that operations moved since. */
  readonly wereIn?: ReadonlyMap<CellId, boolean>
  /** The user chose single parts of these files and the rest stays, so no edit is lost unseen. */
  readonly chosen?: true
}

export type PlanRequest =
  | { readonly verb: 'undo'; readonly count: number }
  | { readonly verb: 'redo'; readonly count: number | 'all' }
  /** Keeps everything up to and including the turn. `null` is before the first turn. */
  | { readonly verb: 'rewind'; readonly to: TurnId | null }
  | { readonly verb: 'rewind'; readonly before: TurnId }
  | { readonly verb: 'switch'; readonly line: readonly LineTurn[]; readonly to?: TurnId }
  | { readonly verb: 'revert'; readonly turn: TurnId }
  | { readonly verb: 'revert-off'; readonly turn: TurnId }
  /**
   * Reverts only what the line's turns did to these files. For a single file, `parts` limits it to
   * some parts, by the keys of `findParts`.
   */
  | {
      readonly verb: 'revert-files'
      readonly paths: ReadonlySet<ProjectPath>
      readonly parts?: ReadonlySet<string>
    }
  | { readonly verb: 'restore'; readonly target: Target }
  | { readonly verb: 'exact'; readonly to: TurnId | null; readonly target: Target }
  /** Without an id: the newest operation that is neither undone nor an op undo. */
  | { readonly verb: 'op-undo'; readonly operation?: OperationId }
