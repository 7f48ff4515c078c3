import type { BranchName, BranchReport, FileDiff, SessionReport, TurnReport } from './report.ts'
import type { Tokens, TurnId, TurnName } from '../data/index.ts'

/** All branches of a session, and whether there are too many. */
export interface BranchesReport {
  readonly session: string
  readonly title: string
  readonly branches: readonly BranchDetails[]
  readonly crowd: Crowd
}

export interface BranchDetails extends Omit<BranchReport, 'turns'> {
  /** The number of the turn at which it diverges, if that is on the current line. */
  readonly forkNumber: number | null
  /** `turns` counts its own turns, `length` also those it shares. */
  readonly turns: number
  readonly length: number
  /** Its first own prompt. */
  readonly prompt: string
  /** It is only an earlier try: the user went back, prompted again and never marked it. */
  readonly retry: boolean
  /** Its first prompt that is not on the current line. */
  readonly promptApart: string
  readonly files: Effect
}

/** Counts of the turns' changes to files. */
export interface Effect {
  readonly files: number
  readonly added: number
  readonly removed: number
}

/** Branches that are neither deleted nor archived, compared with the limit (B12). */
export interface Crowd {
  readonly open: number
  readonly warnFrom: number
  readonly most: number
  readonly state: 'fine' | 'many' | 'full'
  /** If full: the branches without a new turn for the longest time. */
  readonly oldest: readonly BranchName[]
}

export interface CheckpointReport {
  readonly name: string
  readonly turn: TurnName
  /** Null: the turn is no longer in the transcript. */
  readonly prompt: string | null
  readonly branch: BranchName | null
  readonly at: string
}

/** Turns that an operation left behind and that are not active now. */
export interface StashEntry {
  /** The operation's number. */
  readonly id: number
  readonly verb: string
  readonly at: string
  /** The session's position before and after. */
  readonly from: TurnName
  readonly to: TurnName | null
  /** Oldest first. */
  readonly turns: readonly TurnReport[]
  /** Where the turns are now: ahead on the current line, or on a branch. */
  readonly where: 'ahead' | BranchName
}

export interface ShownStash {
  readonly entry: StashEntry
  /** The combined file changes of its turns. */
  readonly files: readonly FileDiff[]
}

/** The undo state of a session in one record (B3). It is never stored, always computed. */
export interface UndoState {
  readonly session: string
  readonly head: TurnId | null
  readonly currentTurn: number
  readonly totalTurns: number
  readonly undone: number
  readonly activeBranch: BranchName | null
  readonly branches: readonly BranchReport[]
}

/** Two lines of turns side by side (W13). */
export interface CompareReport {
  /** The last turn that both have. Null if they share none. */
  readonly fork: (TurnName & { readonly prompt: string }) | null
  readonly sides: readonly [CompareSide, CompareSide]
  /** Files whose content differs between the two tips. */
  readonly files: readonly ComparedFile[]
}

export interface CompareSide {
  /** What the user typed. */
  readonly asked: string
  readonly kind: 'turn' | 'branch' | 'session'
  readonly session: SessionReport
  readonly branch: BranchName
  readonly tip: TurnId | null
  /** Turns from the first to the tip. */
  readonly length: number
  /** After the fork, oldest first. */
  readonly turns: readonly TurnReport[]
  readonly messages: number
  readonly steps: number
  readonly effect: Effect
  readonly tokens: Tokens
  /** From its first prompt after the fork to its last, in ms. */
  readonly time: number | null
}

export interface ComparedFile extends FileDiff {
  readonly added: number
  readonly removed: number
  /** Which sides changed it after the fork. */
  readonly changedBy: 'both' | 'first' | 'second'
}
