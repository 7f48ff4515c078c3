import type { Choice, PathChoice, ProjectPath, TurnId } from '#timeline'

/** What a user asks for, with turns already found. */
export type ResolvedCommand =
  | { readonly verb: 'undo'; readonly count: number }
  | { readonly verb: 'redo'; readonly count: number | 'all' }
  | { readonly verb: 'rewind'; readonly to: TurnId | null; readonly before?: undefined }
  | { readonly verb: 'rewind'; readonly before: TurnId }
  /** The whole tree as it was after the turn, whoever changed it since. */
  | { readonly verb: 'exact'; readonly to: TurnId | null }
  /** To a turn of the branch, or to its tip. */
  | { readonly verb: 'switch'; readonly branch: string; readonly turn: TurnId | null }
  /** A new session that begins with everything up to and including the turn. */
  | { readonly verb: 'branch'; readonly turn: TurnId; readonly title: string | null }
  | { readonly verb: 'revert'; readonly turn: TurnId; readonly off: boolean }
  /** What the line's turns did to these files; of a single one also some parts alone. */
  | {
      readonly verb: 'revert-files'
      readonly paths: readonly ProjectPath[]
      readonly parts?: readonly string[]
    }
  | {
      readonly verb: 'restore'
      readonly paths: readonly ProjectPath[]
      readonly at: TurnId | null
      /** Of a single file only these parts, by the keys that a look at it gave. */
      readonly parts?: readonly string[]
    }
  /** Gives the session itself a title, as the agent's own `/rename` does. */
  | { readonly verb: 'session-title'; readonly name: string }
  | { readonly verb: 'op-undo'; readonly operation: number | null }
  | SessionCare
  | Marking

/** What is said of whole sessions, in Retake alone: the one that is meant, and others with it. */
export type SessionCare =
  | { readonly verb: 'session-rename'; readonly name: string }
  | {
      readonly verb: 'session-delete' | 'session-archive' | 'session-unarchive'
      /** Ids of more sessions of the same project. */
      readonly also: readonly string[]
    }

/** What is said of branches and turns; nothing moves. Branches by their ids. */
export type Marking =
  | { readonly verb: 'branch-rename'; readonly branch: string; readonly name: string }
  | {
      readonly verb: 'branch-delete' | 'branch-archive' | 'branch-unarchive'
      readonly branches: readonly string[]
    }
  | { readonly verb: 'branch-canonical'; readonly branch: string }
  /** Without a name one is made up; without a turn the head is meant. */
  | { readonly verb: 'checkpoint'; readonly name: string | null; readonly turn: TurnId | null }
  | { readonly verb: 'checkpoint-delete'; readonly name: string }

export interface CommandOptions {
  /** Files and conversation, or one of them. */
  readonly only: 'files' | 'chat' | null
  /** Empty the conversation where its first turn would stay. */
  readonly whole: boolean
  /** With undo: the prompt stays and only the answer goes. */
  readonly keepPrompt?: boolean
  readonly onConflict: 'stop' | Choice
  readonly choices: ReadonlyMap<ProjectPath, PathChoice>
  readonly includeUnsure: boolean
  /** Directories outside of the project whose recorded edits count as well (sem.A9). */
  readonly agree?: readonly string[]
  /** Somebody saw the plan with what it asks, and said yes. */
  readonly confirmed?: boolean
  /** Refuse when the session stands elsewhere, so that a retry cannot undo twice. */
  readonly expectHead: TurnId | null
  /** The id of a session that is made: the one that the plan named. */
  readonly newSession?: string
  /** Set when the agent of this very session asks. */
  readonly inside?: Inside
}

/**
 * From where inside the agent it is asked: by a tool call or a command of the turn that runs, or
 * by a prompt that is answered before the agent sees it.
 */
export type Inside =
  | { readonly kind: 'turn'; readonly call: string | null }
  | { readonly kind: 'prompt' }

export const DEFAULT_OPTIONS: CommandOptions = {
  only: null,
  whole: false,
  onConflict: 'stop',
  choices: new Map(),
  includeUnsure: false,
  expectHead: null,
}
