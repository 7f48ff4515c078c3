import type { TurnId } from '#timeline'
import type { TurnReading } from '../../open-session.ts'
import type { SessionSummary } from '../../session-file.ts'
import type { Conversation, TurnEntry } from '../chain/index.ts'
import type { Rollout } from '../rows/index.ts'
import type { CodexFile, Shelf } from './shelf.ts'

/** Reads a rollout, or what was appended to it; null if it is gone or unreadable. */
export type ReadRollout = (path: string) => Rollout | null

/** A session with its rollouts. */
export interface CodexSession {
  readonly file: CodexFile
  readonly shelf: Shelf
  readonly current: Rollout
  readonly conversation: Conversation
  readonly summary: SessionSummary
  readonly entryOf: (id: TurnId) => TurnEntry
  /** Where a rollout's bytes begin if all rollouts of the session were one; the current one: at 0. */
  readonly baseOf: (path: string) => number
  readTurn(id: TurnId): TurnReading
}
