import type { PathChoice } from '#timeline'
import type { Given, moving } from './commands/arguments.ts'
import type { CommandOf, VerbOn } from './commands/command.ts'

/** What can be asked of the server. The server holds each body against a schema of the same type. */

/** How something is moved, for routes whose address says what. */
export type How = Given<typeof moving>

/** Branches of one session share their beginning, not their ids: which session, where it is not said. */
export interface OfSession {
  session?: string | undefined
}

export interface BranchBody extends OfSession {
  name?: string | undefined
  archived?: boolean | undefined
}

/** A title in Retake alone, or whether the session is archived. */
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

export interface UndoOperationBody extends How {
  /** Whose project it is, where the operation is named by its number. */
  session?: string | undefined
}

/** A verb that can be planned, with what it takes. */
export type PlanBody = { [Name in VerbOn<'plan'>]: CommandOf<Name> }[VerbOn<'plan'>]

export interface ApplyBody {
  /** By the names of the plan's files: one for the file, or one for each of its `conflicts`. */
  choices?: Record<string, PathChoice> | undefined
  confirmed?: boolean | undefined
}

/** Hooks of all of the user's projects. */
export interface HooksBody {
  /** Shows what would be written, and writes nothing. */
  dryRun?: boolean | undefined
}

export interface LaunchBody {
  code: string
  /** A browser that wants to stay signed in: its public key and what to call it. */
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
  /** Whose turns and branches they are, where that is not plain. */
  session?: string | undefined
}

export interface OperationQuery extends OfSession, RevealQuery {}

export interface OperationsQuery {
  session?: string | undefined
  limit?: number | undefined
}

export interface ProjectFilesQuery {
  /** A part of a name or path; without it the names at the top. */
  q?: string | undefined
  limit?: number | undefined
}

export interface SearchQuery {
  /** Words; each may be the beginning of one. */
  q: string
  limit?: number | undefined
}

/** Files that may hold secrets are told only to who asks for them. */
export interface RevealQuery {
  reveal?: 'yes' | undefined
}

export interface VersionsQuery extends RevealQuery {
  /** Also what these choices, one for each place in conflict, would write; with commas between. */
  places?: string | undefined
}

export interface MomentQuery extends RevealQuery {
  /** After this turn; 0 is before the first. */
  turn: string
  /** In the middle of it: the number of its last change that counts. */
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
  /** As on a command line: one word, or for a list each of its members. */
  words: string[]
}

export interface CollectGarbageBody {
  /** The clean-up that somebody looked at. */
  plan: string
}
