import type {
  BranchName,
  Continues,
  KeptBy,
  LeftReport,
  Operation,
  TurnId,
  TurnName,
} from '#timeline'

/** Goes up when a field changes its meaning. A reader refuses versions that it does not know. */
export const DETAILS_VERSION = 1

/** What an operation that a user asked for keeps besides its paths; JSON in the store. */
export interface OperationDetails {
  readonly version: typeof DETAILS_VERSION
  /** The plan it carried out: applying that very plan again answers with this operation. */
  readonly request: string
  readonly operation: Omit<Operation, 'id'>
  readonly from: TurnName | null
  readonly to: TurnName | null
  readonly turns: readonly TurnId[]
  /** Turns were left behind, rather than come back to. */
  readonly back: boolean
  readonly messages: number
  readonly merged: readonly string[]
  readonly kept: readonly string[]
  /** Those of the two whose changes are another turn's, and not the user's. */
  readonly keptBy?: readonly KeptBy[]
  readonly left: readonly LeftReport[]
  /** What its plan warned of. */
  readonly warnings?: readonly string[]
  /** Files that have conflict markers now, and the line of the first. */
  readonly marked?: readonly { readonly path: string; readonly line: number }[]
  readonly notCovered: readonly string[]
  readonly conversation: 'moved' | 'pending' | 'unchanged'
  /** What is noted about the conversation's place with it; null leaves that as it is. */
  readonly move: Omit<PendingMove, 'operation'> | 'withdraw' | null
  /** The conversation was emptied, its first turn included. */
  readonly emptied: boolean
  readonly prompt: string | null
  /** Turns taken out and in, where both happened. */
  readonly passed?: {
    readonly undone: number
    readonly redone: number
    readonly messages: number
  }
  /** The branches it is about, and the name it gave or took. */
  readonly branches?: readonly BranchName[]
  readonly name?: string | null
  /** The session that it made, or took away again. */
  readonly branch?: BranchSession & { readonly made: boolean }
  /** That session has the conversation, because this one could not be moved. */
  readonly continues?: Continues
}

/** A branch session, as the operation that made it or took it away remembers it. */
export interface BranchSession {
  readonly session: string
  readonly turn: TurnId
  readonly title: string
}

/**
 * A running agent never reads its transcript again, and its exit writes where it stood itself. So
 * the conversation of a session that is open can only be moved afterwards: the move is pending
 * (sem.C2). It stands for one thing alone, where the conversation is to go; a new one replaces it.
 */
export interface PendingMove {
  /** The last turn to keep; null empties the conversation. */
  readonly target: TurnId | null
  /** The end of the line that it goes to. */
  readonly tip: TurnId | null
  /** Where the conversation stands until then: the tip that must not have grown (sem.C3). */
  readonly from: TurnId | null
  /** How long the transcript was. A prompt behind this was sent since. */
  readonly size: number
  readonly operation: number
  /** It was asked for by a `!` command, which becomes a turn only when it is done. */
  readonly byShell: boolean
  /** How long the transcript was when the move was last found to be done. */
  readonly end?: number
  /** The user was asked whether to send a prompt that would void it. */
  readonly asked?: true
  /** The user knows already that a prompt made it void. */
  readonly told?: true
}

/** What the carrying out of a pending move keeps. It belongs to the operation that left it pending. */
export interface FollowDetails {
  readonly version: typeof DETAILS_VERSION
  readonly follows: PendingMove
}
