import type { Moment, RecordedEdit, Tokens, TurnId } from '#timeline'
import type { Answer } from './moments.ts'
import type { PromptImage } from './run.ts'
import type { SessionFile } from './session-files.ts'
import type { SessionSummary } from './session-summary.ts'
import type { Transcript } from './transcript.ts'
import type { Conversation } from './turns.ts'

/** One session, open for reading. Turns are read one by one: their texts can be hundreds of MB. */
export interface OpenSession {
  readonly file: SessionFile
  readonly transcript: Transcript
  readonly conversation: Conversation
  readonly summary: SessionSummary
  readTurn(id: TurnId): TurnReading
  readImages(id: TurnId): readonly PromptImage[]
  readModel(id: TurnId): string | null
  /** The same object with the same text as long as `readTurn` would tell the same. */
  versionOf(id: TurnId): { readonly key: object; readonly stamp: string }
}

export interface TurnReading {
  readonly moments: readonly Moment[]
  /** The prompt and the model's answers; tool results and system rows do not count. */
  readonly messages: number
  readonly answers: readonly Answer[]
  /** Its own and its subagents'. */
  readonly tokens: Tokens
  /** Some steps were done by subagents, who may go on after the turn has ended. */
  readonly hasAgents: boolean
  /** With exact bytes where the agent's checkpoints have them. */
  readonly edits: readonly RecordedEdit[]
}
