import type { FileIdentity } from '#disk'
import type { TurnId } from '#timeline'

/** As the agent's sessions are marked in lists, in records and in the API. */
export type AgentName = string

/** Where a session is kept. An adapter may know more of it than others need. */
export interface SessionFile {
  readonly agent: AgentName
  /** As the agent writes it. */
  readonly id: string
  readonly path: string
  readonly identity: FileIdentity
  readonly bornAt: Date
}

/** What a list of sessions says about one. */
export interface SessionSummary {
  readonly agent: AgentName
  readonly id: string
  readonly path: string
  readonly title: string
  /** Null if the user gave none, or if the row that has it was not read. */
  readonly givenTitle: string | null
  readonly project: string | null
  readonly updatedAt: string
  readonly bornAt: string
  /** Where a branch session comes from, if Retake made it. */
  readonly branch: BranchRecord | null
  /** The first prompt, whatever the session is called. */
  readonly firstPrompt: string
  /** Null while only the ends of the file have been looked at. */
  readonly counted: {
    readonly turns: number
    /** Prompts and answers on the way to the head. */
    readonly messages: number
    readonly branches: number
    readonly head: TurnId | null
    /** Ids along the file, to see which sessions were forked from which. */
    readonly turnIds: readonly TurnId[]
    readonly forkedFrom: { readonly session: string; readonly uuid: string } | null
    readonly damaged: number
  } | null
}

/** Where a branch session that Retake made comes from. */
export interface BranchRecord {
  readonly parentSessionId: string
  /** The last turn they share: its number on its line, and its id. */
  readonly rewindFromTurn: number
  readonly turn: TurnId
  readonly rewoundAt: string
}

/** A file that belongs to a session. */
export interface Belonging {
  readonly role: 'transcript' | 'agent' | 'beside' | 'checkpoint'
  readonly path: string
}
