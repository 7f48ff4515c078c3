import type { Cell, CellId, FileChange, LatestMove, OperationId } from '../cell/index.ts'
import type { Contents, FactChange, ProjectPath, TurnId, Value } from '../data/index.ts'
import type { Choice, MarkLabels, PathChoice } from '../text/index.ts'

export interface LineTurn {
  readonly id: TurnId
  /** The ledger's number when its prompt was sent. */
  readonly seq: number
  /** The git branch its files were changed on, where there was one. */
  readonly gitBranch?: string | null
}

/**
 * Where a session stands. The conversation's first turn stays (sem.C9): with `beforeFirst` its
 * files are out although the conversation still has it, and redo begins with it.
 */
export interface Place {
  readonly turn: TurnId | null
  readonly beforeFirst: boolean
  readonly tip: TurnId | null
}

/** What is recorded: enough to say which paths a plan must read. */
export interface Ledger {
  /** The current line, from the first turn through the head to the tip that redo would reach. */
  readonly line: readonly LineTurn[]
  readonly head: TurnId | null
  readonly beforeFirst: boolean
  /**
   * Turns up to the head that are out although the head's files are in: an operation left a path
   * of a later turn behind (sem.M7). They come in on any way to them, or only on the way forward.
   */
  readonly leftOut?: ReadonlyMap<TurnId, 'any' | 'forward'>
  /** At least the cells of every turn that is passed, and every cell of their paths. */
  readonly cells: readonly Cell[]
  readonly latestMoves: ReadonlyMap<ProjectPath, LatestMove>
  /** Oldest first. Only an op undo is planned from them: for other verbs none need be there. */
  readonly operations: readonly Operation[]
  /** The highest number that the ledger has given out. */
  readonly seq: number
}

/** Everything a plan is made from. It never changes: a world that moved is another world. */
export interface World extends Ledger {
  readonly contents: Contents
  readonly now: ReadonlyMap<ProjectPath, Value>
  /** Every file and symlink in scope, to see what a plan would collide with (sem.M6). */
  readonly present: Iterable<ProjectPath>
  /** The project's volume takes `Readme` and `README` for one file. */
  readonly foldsNames: boolean
  readonly gitBranch?: string | null
}

/** One recorded act of Retake, as far as undoing it needs to know it (sem.O2). */
export interface Operation {
  readonly id: OperationId
  readonly session: string
  /** The highest number of the ledger when it was done. */
  readonly seq: number
  readonly verb: PlanVerb
  readonly inverts: OperationId | null
  readonly from: Place
  readonly to: Place
  readonly files: readonly FileChange[]
  readonly cells: readonly CellChange[]
  readonly latestMoves: readonly LatestMoveChange[]
  /** What it said of the session's branches and turns. Such an operation moves nothing. */
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

/** Verbs that say something of sessions, branches and turns, and move neither files nor conversation. */
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
  /** By path; `stop` is the default. Paths that execute need a choice of their own (S9). */
  readonly choices?: ReadonlyMap<ProjectPath, PathChoice>
  readonly onConflict?: 'stop' | Choice
  /** Whether links in doubt move with their turn (sem.A5). */
  readonly includeUnsure?: boolean
  readonly labels?: MarkLabels
  /** The operation does more than is planned here: it is something even if nothing moves. */
  readonly doesMore?: boolean
}

/** Contents to write, from a snapshot or from what cells say. A path not named is not touched. */
export interface Target {
  /** The ledger's number at the moment that these contents stood. */
  readonly seq: number
  readonly values: ReadonlyMap<ProjectPath, Value>
  /** The directories are to be as they were then, too. */
  readonly wholeTree?: true
  /** On which side cells were then that operations moved since. */
  readonly wereIn?: ReadonlyMap<CellId, boolean>
  /** Of these files single parts were chosen, and the rest is as it is now: no edit goes unseen. */
  readonly chosen?: true
}

export type PlanRequest =
  | { readonly verb: 'undo'; readonly count: number }
  | { readonly verb: 'redo'; readonly count: number | 'all' }
  /** Keeps everything up to and including the turn; `null` is before the first one. */
  | { readonly verb: 'rewind'; readonly to: TurnId | null }
  | { readonly verb: 'rewind'; readonly before: TurnId }
  | { readonly verb: 'switch'; readonly line: readonly LineTurn[]; readonly to?: TurnId }
  | { readonly verb: 'revert'; readonly turn: TurnId }
  | { readonly verb: 'revert-off'; readonly turn: TurnId }
  /**
   * What the line's turns did to these files, and nobody else; of a single file also some parts
   * alone, by the keys of `findParts`.
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
