import type { Choice, PathChoice, ProjectPath, TurnId } from '#timeline'

/** A command with its turns looked up. */
export type ResolvedCommand =
  | { readonly verb: 'undo'; readonly count: number }
  | { readonly verb: 'redo'; readonly count: number | 'all' }
  | { readonly verb: 'rewind'; readonly to: TurnId | null; readonly before?: undefined }
  | { readonly verb: 'rewind'; readonly before: TurnId }
  /** The whole tree as it was after the turn, whoever changed it since. */
  | { readonly verb: 'exact'; readonly to: TurnId | null }
  /** Goes to a turn of the branch; null means its tip. */
  | { readonly verb: 'switch'; readonly branch: string; readonly turn: TurnId | null }
  /** A new session that begins with everything up to and including the turn. */
  | { readonly verb: 'branch'; readonly turn: TurnId; readonly title: string | null }
  | { readonly verb: 'revert'; readonly turn: TurnId; readonly off: boolean }
  /** Reverts what the line's turns did to these files; `parts` selects parts of a single file. */
  | {
      readonly verb: 'revert-files'
      readonly paths: readonly ProjectPath[]
      readonly parts?: readonly string[]
    }
  | {
      readonly verb: 'restore'
      readonly paths: readonly ProjectPath[]
      readonly at: TurnId | null
      /** Only these parts of a single file, by the keys in its diff. */
      readonly parts?: readonly string[]
    }
  /** Gives the session itself a title, as the agent's own `/rename` does. */
  | { readonly verb: 'session-title'; readonly name: string }
  | { readonly verb: 'op-undo'; readonly operation: number | null }
  | SessionEdit
  | Marking

/** Changes to what Retake itself records about sessions: the current one and those in `also`. */
export type SessionEdit =
  | { readonly verb: 'session-rename'; readonly name: string }
  | {
      readonly verb: 'session-delete' | 'session-archive' | 'session-unarchive'
      /** Ids of more sessions of the same project. */
      readonly also: readonly string[]
    }

/** Changes to marks of branches and turns; nothing moves. Branches are given by id. */
export type Marking =
  | { readonly verb: 'branch-rename'; readonly branch: string; readonly name: string }
  | {
      readonly verb: 'branch-delete' | 'branch-archive' | 'branch-unarchive'
      readonly branches: readonly string[]
    }
  | { readonly verb: 'branch-canonical'; readonly branch: string }
  /** A null name means an automatic one; a null turn means the head. */
  | { readonly verb: 'checkpoint'; readonly name: string | null; readonly turn: TurnId | null }
  | { readonly verb: 'checkpoint-delete'; readonly name: string }

export interface CommandOptions {
  /** Move only files or only the conversation; null moves both. */
  readonly only: 'files' | 'chat' | null
  /** Empty the conversation where otherwise its first turn would stay. */
  readonly whole: boolean
  /** Undo only the answer; the prompt stays. */
  readonly keepPrompt?: boolean
  readonly onConflict: 'stop' | Choice
  readonly choices: ReadonlyMap<ProjectPath, PathChoice>
  readonly includeUnsure: boolean
  /** Directories outside the project whose recorded edits are included (sem.A9). */
  readonly agree?: readonly string[]
  /** The user saw the plan with its questions and agreed. */
  readonly confirmed?: boolean
  /** Refuse if the head is another turn, so that a retry cannot undo twice. */
  readonly expectHead: TurnId | null
  /** The id for a new session: the one that the plan named. */
  readonly newSession?: string
  /** Set if the agent of this session runs the command. */
  readonly inside?: Inside
}

/**
 * Where in the agent the command comes from: a tool call or shell command of the running turn, or a
 * prompt that Retake answers before the agent sees it.
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
