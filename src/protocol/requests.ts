import type { Choice, PathChoice } from '#timeline'

/** What can be asked of the server. The server holds each body against a schema of the same type. */

/** A turn's number on the current line, its id or the beginning of it, or any message's id. */
export type TurnInput = string | number

export interface How {
  only?: 'files' | 'chat' | undefined
  onConflict?: 'stop' | Choice | undefined
  includeUnsure?: boolean | undefined
  /** Go on although the plan asks something, such as another branch of git. */
  confirmed?: boolean | undefined
  /** The id of the turn the session must stand at, so that a retry cannot undo twice. */
  expectHead?: string | undefined
}

export interface BackBody {
  expectHead?: string | undefined
}

export interface UndoBody extends How {
  count?: number | undefined
  /** Only the answer goes; the prompt stays in the conversation. */
  keepPrompt?: boolean | undefined
  whole?: boolean | undefined
}

export interface RedoBody extends How {
  count?: number | undefined
  all?: boolean | undefined
}

export interface RewindBody extends How {
  /** 0 is before the first turn. */
  turn: TurnInput
  /** To the moment its prompt was sent. */
  before?: boolean | undefined
  /** The whole tree as it was then, whoever changed it since. */
  exact?: boolean | undefined
  whole?: boolean | undefined
}

export interface RevertBody extends How {
  turn: TurnInput
  off?: boolean | undefined
}

/** What the session's turns did to single files; later edits by others stay. */
export interface RevertFilesBody extends How {
  /** Names that the list of the session's changes gives. */
  files: string[]
  /** Of one file only these parts, by the keys that the list gave. */
  parts?: string[] | undefined
}

export interface RestoreBody extends How {
  /** Names that the turns of the session list. */
  files: string[]
  /** 0 is before the first turn. */
  at: TurnInput
  /** Of one file only these parts, by the keys that a look at it gave. */
  parts?: string[] | undefined
}

export interface SwitchBody extends How {
  /** Its name, its id or the beginning of it. */
  branch: string
  /** A turn of that branch; a number counts along the branch. Default: its tip. */
  turn?: TurnInput | undefined
}

export interface NewBranchBody extends How {
  /** The last turn to keep. */
  turn: TurnInput
  title?: string | undefined
}

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

export interface CheckpointBody {
  /** Without one `point-1`, `point-2` … is made up. */
  name?: string | undefined
  /** Default: the turn the session stands at. */
  turn?: TurnInput | undefined
}

export interface DeleteCheckpointBody {
  name: string
}

export interface UndoOperationBody extends How {
  /** Whose project it is, where the operation is named by its number. */
  session?: string | undefined
}

/** Whichever session it moved: that is the one that is planned for. */
export interface OperationBody extends How {
  operation: number
}

export type PlanBody =
  | ({ verb: 'undo' } & UndoBody)
  | ({ verb: 'redo' } & RedoBody)
  | ({ verb: 'back' } & BackBody)
  | ({ verb: 'rewind' } & RewindBody)
  | ({ verb: 'revert' } & RevertBody)
  | ({ verb: 'revert-files' } & RevertFilesBody)
  | ({ verb: 'restore' } & RestoreBody)
  | ({ verb: 'switch' } & SwitchBody)
  | ({ verb: 'branch' } & NewBranchBody)
  | ({ verb: 'op-undo' } & OperationBody)

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
