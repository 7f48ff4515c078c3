import type { FileIdentity } from '#disk'
import type { PlannedStep } from '#store'
import type { Moment, RecordedEdit, Tokens, Turn, TurnId } from '#timeline'
import type { AgentName, SessionFile, SessionSummary } from './session-file.ts'

/**
 * One session, open for reading. Turns are read individually, because their texts can be hundreds
 * of MB.
 */
export interface OpenSession {
  readonly agent: AgentName
  readonly file: SessionFile
  readonly summary: SessionSummary
  readonly conversation: Conversation
  /** Parts of the file that could not be read. */
  readonly damage: readonly Damage[]
  /** The identity of the file that was read. */
  readonly identity: FileIdentity
  /** How far it was read, with a sample of its bytes to detect overwriting. */
  readonly reading: { readonly end: number; readonly sample: string }
  /** Whether the file still starts with what a reading up to `end` found. */
  continues(reading: { readonly end: number; readonly sample: string }): boolean
  /** The version of the agent that wrote the newest prompt; null if unknown. */
  readonly version: string | null
  /** The title that the user gave it; null if none. */
  readonly title: string | null
  /** Whether the agent summarized older turns, so that not every turn can be reached in place. */
  readonly isCompacted: boolean
  readTurn(id: TurnId): TurnReading
  readImages(id: TurnId): readonly PromptImage[]
  readModel(id: TurnId): string | null
  factsOf(id: TurnId): TurnFacts
  /** The git branch that the agent recorded when the turn began. */
  gitBranchOf(id: TurnId): string | null
  /** Whether the model called any tool in the turn. */
  hasCalls(id: TurnId): boolean
  /** The file offsets of the turn's rows, in order. */
  placesOf(id: TurnId): readonly number[]
  /** Equal key and stamp mean that `readTurn` would return the same. */
  versionOf(id: TurnId): { readonly key: object; readonly stamp: string }
  /**
   * Directories outside the project that the user gave the agent up to this time, in ms since 1970.
   */
  addedDirectories(by?: number): readonly string[]
  /** The turn that contains a message; null if none has that id. */
  turnOfMessage(id: string): TurnId | null
  /** The turn in which this tool call is running; with null, any call. */
  findRunningTurn(call: string | null): TurnId | null
  /** Whether the turn at the head is completely answered. */
  isAnswered(): boolean
  /** Whether background agents of other turns than `asking` are working. */
  hasRunningAgents(when: { since: number; asking: TurnId | null }): boolean
  /** Which lines of copies belong to these turns. */
  forgottenLines(turns: ReadonlySet<TurnId>): ForgottenLines
  /** Plans steps that move the head of this session, or branch it. */
  readonly moves: SessionMoves
}

/** A part of the file that could not be read. */
export interface Damage {
  readonly offset: number
  readonly length: number
  readonly why:
    | 'torn'
    | 'not-json'
    | 'spliced'
    | 'nul-bytes'
    | 'too-long'
    | 'no-object'
    | 'byte-order-mark'
}

/** The rows of a turn are internal to the agent. */
export interface Conversation {
  readonly turns: readonly { readonly turn: Turn }[]
  readonly head: TurnId | null
  /** The turn after the head whose prompt the agent still has, without its answer. */
  readonly kept: TurnId | null
}

export interface ForgottenLines {
  /** Null if the line does not tell which turn it belongs to. */
  isGone(line: Buffer): boolean | null
  /** Whether a whole file belongs to these turns, such as the transcript of a subagent. */
  isOfThem(path: string): boolean
}

export interface TurnReading {
  readonly moments: readonly Moment[]
  /** The prompt and the model's answers; tool results and system rows do not count. */
  readonly messages: number
  readonly answers: readonly Answer[]
  /** Including its subagents. */
  readonly tokens: Tokens
  /** Subagents did some steps, and may continue after the turn has ended. */
  readonly hasAgents: boolean
  /** With exact bytes where the agent's checkpoints have them. */
  readonly edits: readonly RecordedEdit[]
}

/** One answer of the model. */
export interface Answer {
  readonly id: string
  readonly at: string | null
  readonly moments: readonly Moment[]
}

/** Facts needed for every turn of a session, known without reading the turn. */
export interface TurnFacts {
  /** When the model first answered, in ms since 1970: no step of the turn ran before. */
  readonly started: number | null
  readonly ended: number | null
  /** Increases when the turn gets rows that may contain edits. */
  readonly rows: number
  /** The prompt and the model's answers. */
  readonly messages: number
}

/** An image in a prompt. */
export interface PromptImage {
  readonly type: ImageType
  /** Base64. */
  readonly data: string
}

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** A step of the conversation, or why the agent cannot resume there. */
export type MovePlan =
  | { readonly kind: 'step'; readonly step: PlannedStep }
  | {
      readonly kind: 'not-movable'
      readonly why: 'behind-compaction' | 'no-row'
    }

export interface MoveFacts {
  readonly uuid: string
  readonly at: Date
  /** The text of Retake's row, for people who read the file. */
  readonly says: string
}

/** The branch session to create: its new id, and where it continues. */
export interface BranchRequest {
  readonly session: string
  readonly turn: TurnId
  /** The next turn on the line, if any. */
  readonly next: TurnId | null
  /** The number on its line, from 1. */
  readonly number: number
  readonly title: string
  readonly at: Date
}

export interface SessionMoves {
  /**
   * Why this session cannot move in place, so that the conversation continues in a new one; null if
   * it can.
   */
  readonly notInPlace: string | null
  /** Keeps everything up to and including `turn`; `next` is the following turn on the line. */
  planMove(target: { turn: TurnId; next: TurnId | null }, facts: MoveFacts): MovePlan
  /** Keeps everything up to the prompt of a turn, without its answer. */
  planMoveToPrompt(turn: TurnId, facts: MoveFacts): MovePlan
  /** Keeps nothing; null if this version of the agent does not support it. */
  planEmpty(): PlannedStep | null
  planBranch(wish: BranchRequest): MovePlan
  /** Removes this session, with everything that was created for it. */
  planUnbranch(tag: string): PlannedStep
  /** Whether this session has messages that its parent does not have. */
  wasContinued(parent: OpenSession): boolean
  planTitle(title: string | null): PlannedStep
}
