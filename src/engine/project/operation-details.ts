import type {
  BranchName,
  Continues,
  KeptBy,
  LeftReport,
  Operation,
  TurnId,
  TurnName,
} from '#timeline'

/** Increased when a field changes its meaning. A reader refuses versions that it does not know. */
export const DETAILS_VERSION = 1

/** What an operation requested by a user stores besides its paths; JSON in the store. */
export interface OperationDetails {
  readonly version: typeof DETAILS_VERSION
  /** The plan it applied: applying the same plan again returns this operation. */
  readonly request: string
  readonly operation: Omit<Operation, 'id'>
  readonly from: TurnName | null
  readonly to: TurnName | null
  readonly turns: readonly TurnId[]
  /** Whether the operation left turns behind, rather than returned to them. */
  readonly back: boolean
  readonly messages: number
  readonly merged: readonly string[]
  readonly kept: readonly string[]
  /** The `merged` and `kept` paths whose changes are another turn's, not the user's. */
  readonly keptBy?: readonly KeptBy[]
  readonly left: readonly LeftReport[]
  /** The plan's warnings. */
  readonly warnings?: readonly string[]
  /** Files that now have conflict markers, with the line of the first. */
  readonly marked?: readonly { readonly path: string; readonly line: number }[]
  readonly notCovered: readonly string[]
  readonly conversation: 'moved' | 'pending' | 'unchanged'
  /**
   * The pending move that the operation stores or withdraws; null leaves the stored one unchanged.
   */
  readonly move: Omit<PendingMove, 'operation'> | 'withdraw' | null
  /** The conversation was emptied, its first turn included. */
  readonly emptied: boolean
  readonly prompt: string | null
  /** Turns undone and redone, if the operation did both. */
  readonly passed?: {
    readonly undone: number
    readonly redone: number
    readonly messages: number
  }
  /** The branches it is about, and the name it set or removed. */
  readonly branches?: readonly BranchName[]
  readonly name?: string | null
  /** The session that it made, or removed again. */
  readonly branch?: BranchSession & { readonly made: boolean }
  /** The session that continues the conversation, because this one could not be moved. */
  readonly continues?: Continues
}

/** A branch session, as recorded by the operation that made or removed it. */
export interface BranchSession {
  readonly session: string
  readonly turn: TurnId
  readonly title: string
}

/**
 * A running agent never rereads its transcript, and on exit it writes its own position. So the
 * conversation of an open session can only be moved after the exit: the move is pending (sem.C2).
 * It only says where the conversation is to go; a new pending move replaces it.
 */
export interface PendingMove {
  /** The last turn to keep; null empties the conversation. */
  readonly target: TurnId | null
  /** The tip of the line that it goes to. */
  readonly tip: TurnId | null
  /** The conversation's present turn: the tip that must not have grown (sem.C3). */
  readonly from: TurnId | null
  /** The transcript's length. A prompt beyond it was sent since. */
  readonly size: number
  readonly operation: number
  /** A `!` command requested it, which becomes a turn only after the command ends. */
  readonly byShell: boolean
  /** The transcript's length when the move was last found to be done. */
  readonly end?: number
  /** The user was asked whether to send a prompt that would cancel the move. */
  readonly asked?: true
  /** The user was told that a prompt cancelled the move. */
  readonly told?: true
}

/**
 * The record of a completed pending move. It belongs to the operation that left the move pending.
 */
export interface FollowDetails {
  readonly version: typeof DETAILS_VERSION
  readonly follows: PendingMove
}
