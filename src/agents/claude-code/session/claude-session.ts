import type { TurnId } from '#timeline'
import type { PromptImage, TurnReading } from '../../open-session.ts'
import type { SessionSummary } from '../../session-file.ts'
import type { ClaudeFile } from './session-files.ts'
import type { Transcript } from '../rows/index.ts'
import type { Conversation, TurnRows } from '../chain/index.ts'

/** A session with its rows. */
export interface ClaudeSession {
  readonly file: ClaudeFile
  readonly transcript: Transcript
  readonly conversation: Conversation
  readonly summary: SessionSummary
  readonly entryOf: (id: TurnId) => TurnRows
  readTurn(id: TurnId): TurnReading
  readImages(id: TurnId): readonly PromptImage[]
  readModel(id: TurnId): string | null
  versionOf(id: TurnId): { readonly key: object; readonly stamp: string }
}
