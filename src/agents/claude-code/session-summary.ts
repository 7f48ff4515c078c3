import type { TurnId } from '#timeline'
import type { BranchRecord } from './branch-record.ts'

/** What a list of sessions says about one. */
export interface SessionSummary {
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
