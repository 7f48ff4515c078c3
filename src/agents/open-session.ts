import type { FileIdentity } from '#disk'
import type { PlannedStep } from '#store'
import type { Moment, RecordedEdit, Tokens, Turn, TurnId } from '#timeline'
import type { AgentName, SessionFile, SessionSummary } from './session-file.ts'

/** One session, open for reading. Turns are read one by one: their texts can be hundreds of MB. */
export interface OpenSession {
  readonly agent: AgentName
  readonly file: SessionFile
  readonly summary: SessionSummary
  readonly conversation: Conversation
  /** What of its storage could not be read. */
  readonly damage: readonly Damage[]
  /** The file as it was read. */
  readonly identity: FileIdentity
  /** How far it was read, and some of its bytes, to see whether it was written over since. */
  readonly reading: { readonly end: number; readonly sample: string }
  /** Whether the file still has what a reading up to `end` found. */
  continues(reading: { readonly end: number; readonly sample: string }): boolean
  /** The version of the agent that wrote the newest prompt; null when nothing says. */
  readonly version: string | null
  /** The title that the user gave it; null if none. */
  readonly title: string | null
  /** Whether the agent summed up older turns, so that not every place can be reached in place. */
  readonly isCompacted: boolean
  readTurn(id: TurnId): TurnReading
  readImages(id: TurnId): readonly PromptImage[]
  readModel(id: TurnId): string | null
  factsOf(id: TurnId): TurnFacts
  /** The git branch that the agent saw when the turn began. */
  gitBranchOf(id: TurnId): string | null
  /** Whether the model called any tool in the turn. */
  hasCalls(id: TurnId): boolean
  /** The places in the file where the turn's parts begin, in their order. */
  placesOf(id: TurnId): readonly number[]
  /** The same object with the same text as long as `readTurn` would tell the same. */
  versionOf(id: TurnId): { readonly key: object; readonly stamp: string }
  /** Directories beside the project that the user gave to the agent, by this time in ms since 1970. */
  addedDirectories(by?: number): readonly string[]
  /** The turn to which a message of any kind belongs; null when none has that id. */
  turnOfMessage(id: string): TurnId | null
  /** The turn in which a tool call runs now; with null, any call. */
  findRunningTurn(call: string | null): TurnId | null
  /** Whether everything that was asked has an answer. */
  isAnswered(): boolean
  /** Whether agents of the agent's own are at work behind a turn other than `asking`. */
  hasAgentsAtWork(when: { since: number; asking: TurnId | null }): boolean
  /** Which lines of kept copies belong to these turns. */
  forgottenLines(turns: ReadonlySet<TurnId>): ForgottenLines
  /** What moves the head of this session, or makes another one of it. */
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

/** A turn's rows in the file are the agent's own business. */
export interface Conversation {
  readonly turns: readonly { readonly turn: Turn }[]
  readonly head: TurnId | null
  /** The turn behind the head whose prompt the agent still has, without its answer. */
  readonly kept: TurnId | null
}

export interface ForgottenLines {
  /** Null for a line that does not say whose it is. */
  isGone(line: Buffer): boolean | null
  /** Whether a whole file is theirs, as the transcript of a subagent is. */
  isOfThem(path: string): boolean
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

/** One answer of the model. */
export interface Answer {
  readonly id: string
  readonly at: string | null
  readonly moments: readonly Moment[]
}

/** What is asked of every turn of a session; known without reading the turn. */
export interface TurnFacts {
  /** When the model first answered, in milliseconds since 1970: no step of the turn ran before. */
  readonly started: number | null
  readonly ended: number | null
  /** Grows when the turn has more to tell about edits. */
  readonly rows: number
  /** The prompt and the model's answers. */
  readonly messages: number
}

/** A picture beside the words of a prompt. */
export interface PromptImage {
  readonly type: ImageType
  /** Base64. */
  readonly data: string
}

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** A step of the conversation, or why the agent cannot be led there. */
export type MovePlan =
  | { readonly kind: 'step'; readonly step: PlannedStep }
  | { readonly kind: 'not-movable'; readonly why: 'behind-compaction' | 'no-row' }

export interface MoveFacts {
  readonly uuid: string
  readonly at: Date
  /** What the row of ours says, for people who look into the file. */
  readonly says: string
}

/** The branch session to be: a fresh id, and from where it goes on. */
export interface BranchWish {
  readonly session: string
  readonly turn: TurnId
  /** The next turn on the line, where there is one. */
  readonly next: TurnId | null
  /** On its line, from 1. */
  readonly number: number
  readonly title: string
  readonly at: Date
}

export interface SessionMoves {
  /** To keep everything up to and including `turn`, whose next turn on the line is `next`. */
  planMove(target: { turn: TurnId; next: TurnId | null }, facts: MoveFacts): MovePlan
  /** To keep everything up to the prompt of a turn, without its answer. */
  planMoveToPrompt(turn: TurnId, facts: MoveFacts): MovePlan
  /** To keep nothing; null when this version of the agent would not notice. */
  planEmpty(): PlannedStep | null
  planBranch(wish: BranchWish): MovePlan
  /** To take this session away again, with all that was made for it. */
  planUnbranch(tag: string): PlannedStep
  /** Whether anything was said here that is not in the session it was branched from. */
  hasGoneOn(parent: OpenSession): boolean
  planTitle(title: string | null): PlannedStep
}
