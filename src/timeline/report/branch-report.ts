import type { BranchName, BranchReport, FileDiff, SessionReport, TurnReport } from './report.ts'
import type { Tokens, TurnId, TurnName } from '../data/index.ts'

/** All branches of a session, and whether they are becoming too many. */
export interface BranchesReport {
  readonly session: string
  readonly title: string
  readonly branches: readonly BranchDetails[]
  readonly crowd: Crowd
}

export interface BranchDetails extends Omit<BranchReport, 'turns'> {
  /** The number of the turn it parts from, where that is on the current line. */
  readonly forkNumber: number | null
  /** Its own turns, and those together with what it shares. */
  readonly turns: number
  readonly length: number
  /** The first prompt of its own. */
  readonly prompt: string
  /** Only an earlier try at a turn: the user went back, prompted again and never marked it. */
  readonly retry: boolean
  /** The first prompt that the line in use does not have. */
  readonly promptApart: string
  readonly files: Effect
}

/** What turns did to files, counted. */
export interface Effect {
  readonly files: number
  readonly added: number
  readonly removed: number
}

/** Branches that are neither deleted nor archived, against the limit (B12). */
export interface Crowd {
  readonly open: number
  readonly warnFrom: number
  readonly most: number
  readonly state: 'fine' | 'many' | 'full'
  /** When full: the ones without a new turn for the longest time. */
  readonly oldest: readonly BranchName[]
}

export interface CheckpointReport {
  readonly name: string
  readonly turn: TurnName
  /** Null: the turn is not in the transcript any more. */
  readonly prompt: string | null
  readonly branch: BranchName | null
  readonly at: string
}

/** Turns that an operation went back past, and that are not active again. */
export interface StashEntry {
  /** The operation's number. */
  readonly id: number
  readonly verb: string
  readonly at: string
  /** Where the session stood, and where it went. */
  readonly from: TurnName
  readonly to: TurnName | null
  /** Oldest first. */
  readonly turns: readonly TurnReport[]
  /** Where the turns are now: ahead on the current line, or on a branch. */
  readonly where: 'ahead' | BranchName
}

export interface ShownStash {
  readonly entry: StashEntry
  /** What its turns together did to files. */
  readonly files: readonly FileDiff[]
}

/** The undo state of a session in one record (B3). Nothing of it is stored: all of it is read. */
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
  /** The last turn that both have; null when they share none. */
  readonly fork: (TurnName & { readonly prompt: string }) | null
  readonly sides: readonly [CompareSide, CompareSide]
  /** Files whose content at the end of the one is not that at the end of the other. */
  readonly files: readonly ComparedFile[]
}

export interface CompareSide {
  /** What was asked for, as it was typed. */
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
