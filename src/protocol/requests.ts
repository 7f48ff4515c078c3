import type { PathChoice } from '#timeline'
import type { ArgumentValues, moving } from './commands/arguments.ts'
import type { CommandOf, VerbOn } from './commands/command.ts'

/**
 * The bodies and queries of requests. The server validates each against a schema of the same type.
 */

/** How to move something, for routes whose path says what. */
export type MoveOptions = ArgumentValues<typeof moving>

/** Several sessions can contain the same branch; this names the one that is meant. */
export interface OfSession {
  session?: string | undefined
}

export interface BranchBody extends OfSession {
  name?: string | undefined
  archived?: boolean | undefined
}

/** A title in Retake only, or whether the session is archived. */
export interface SessionBody {
  title?: string | undefined
  archived?: boolean | undefined
}

export interface SessionsBody {
  sessions: string[]
}

export interface ArchiveBody extends SessionsBody {
  archived: boolean
}

export interface UndoOperationBody extends MoveOptions {
  /** A session of the project, if the operation is given by its number. */
  session?: string | undefined
}

/** A verb that can be planned, with its arguments. */
export type PlanBody = { [Name in VerbOn<'plan'>]: CommandOf<Name> }[VerbOn<'plan'>]

export interface ApplyBody {
  /**
   * By the paths of the plan's files: one choice for the file, or one for each of its `conflicts`.
   */
  choices?: Record<string, PathChoice> | undefined
  confirmed?: boolean | undefined
}

/** Hooks for all of the user's projects. */
export interface HooksBody {
  /** Shows what would be written, and writes nothing. */
  dryRun?: boolean | undefined
}

export interface LaunchBody {
  code: string
  /** For a browser that stays signed in: its public key and its name. */
  key?: string | undefined
  name?: string | undefined
}

export interface SignInBody {
  browser: string
  challenge: string
  signature: string
}

export interface PageQuery {
  limit?: number | undefined
  before?: string | undefined
}

export interface CompareQuery extends RevealQuery {
  /** Turns, branches or sessions. */
  a: string
  b: string
  /** The session that the turns and branches belong to, if ambiguous. */
  session?: string | undefined
}

export interface OperationQuery extends OfSession, RevealQuery {}

export interface OperationsQuery {
  session?: string | undefined
  limit?: number | undefined
}

export interface ProjectFilesQuery {
  /** A part of a name or path; without it, the names at the top. */
  q?: string | undefined
  limit?: number | undefined
}

export interface SearchQuery {
  /** Words or prefixes of words. */
  q: string
  limit?: number | undefined
}

/** Files that may hold secrets are shown only on request. */
export interface RevealQuery {
  reveal?: 'yes' | undefined
}

export interface VersionsQuery extends RevealQuery {
  /**
   * Also returns what these choices, one per place in conflict, would write; separated by commas.
   */
  places?: string | undefined
}

export interface MomentQuery extends RevealQuery {
  /** After this turn; 0 is before the first. */
  turn: string
  /** In the middle of the turn: the number of the last change to include. */
  seq?: number | undefined
}

export interface SettingBody {
  key:
    | 'quota'
    | 'retention'
    | 'include'
    | 'branchLimit'
    | 'branchWarning'
    | 'autoArchiveDays'
    | 'plainUndo'
    | 'confirm'
    | 'maxFileSize'
    | 'voice'
  /** As on a command line: one word, or each member of a list. */
  words: string[]
}

export interface CollectGarbageBody {
  /** The id of the clean-up plan that the user saw. */
  plan: string
}
