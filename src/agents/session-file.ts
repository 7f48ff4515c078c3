import type { FileIdentity } from '#disk'
import type { TurnId } from '#timeline'

/** The agent's name in lists, records and the API. */
export type AgentName = string

/** Where a session is stored. Adapters may add fields of their own. */
export interface SessionFile {
  readonly agent: AgentName
  /** In the agent's own format. */
  readonly id: string
  readonly path: string
  readonly identity: FileIdentity
  readonly bornAt: Date
}

/** A session as lists show it. */
export interface SessionSummary {
  readonly agent: AgentName
  readonly id: string
  readonly path: string
  readonly title: string
  /** Null if the user gave none, or if the row with it was not read. */
  readonly givenTitle: string | null
  readonly project: string | null
  readonly updatedAt: string
  readonly bornAt: string
  /** The origin of a branch session, if Retake made it. */
  readonly branch: BranchRecord | null
  /** The first prompt, even if the session has another title. */
  readonly firstPrompt: string
  /** Null while only both ends of the file have been read. */
  readonly counted: {
    readonly turns: number
    /** Prompts and answers on the path to the head. */
    readonly messages: number
    readonly branches: number
    readonly head: TurnId | null
    /** Ids in file order, to see which sessions were forked from which. */
    readonly turnIds: readonly TurnId[]
    readonly forkedFrom: { readonly session: string; readonly uuid: string } | null
    readonly damaged: number
  } | null
}

/** The origin of a branch session that Retake made. */
export interface BranchRecord {
  readonly parentSessionId: string
  /** The last shared turn: its number on its line, and its id. */
  readonly rewindFromTurn: number
  readonly turn: TurnId
  readonly rewoundAt: string
}

/** A file that belongs to a session. */
export interface Belonging {
  readonly role: 'transcript' | 'agent' | 'beside' | 'checkpoint'
  readonly path: string
}
