import {
  type BranchName,
  type Continues,
  type KeptBy,
  type LeftReport,
  type Operation,
  type TurnId,
  type TurnName,
} from '#timeline'

/** What an operation of Retake keeps besides its paths; JSON in the store. */
export interface OperationDetails {
  /** The plan it carried out: applying that very plan again answers with this operation. */
  readonly request: string
  readonly operation: Omit<Operation, 'id' | 'facts'> & Partial<Pick<Operation, 'facts'>>
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
  /** Not in operations of older versions. */
  readonly left?: readonly LeftReport[]
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

/** What such an operation keeps. It belongs to the one that asked for the move. */
export interface FollowDetails {
  readonly follows: PendingMove
}

/** What an operation that a user asked for keeps. */
export function detailsOf({ details }: { readonly details: unknown }): OperationDetails {
  return details as OperationDetails
}

/** What the carrying out of a pending move keeps. */
export function followedBy({ details }: { readonly details: unknown }): PendingMove {
  return (details as FollowDetails).follows
}
