import type { LeftReport } from './left-report.ts'
import type { RestorablePart, ValueDiff } from '../text/index.ts'
import type { TurnId, TurnName } from '../data/index.ts'

/** The moments at which a session's line changed files. */
export interface MomentsReport {
  readonly session: string
  readonly head: TurnId | null
  readonly turns: readonly (TurnName & {
    readonly prompt: string
    readonly at: string | null
    /** Its changes of files, in order. */
    readonly steps: readonly { readonly seq: number; readonly path: string; readonly at: string }[]
  })[]
  /** What the turns of all its branches changed; others name a file by its place here. */
  readonly files: readonly string[]
}

/** What of a file can be shown. */
export type FileState = 'file' | 'absent' | 'symlink' | 'unknown' | 'binary' | 'too-large'

/** A file at one moment. */
export interface FileAtReport {
  readonly session: string
  readonly path: string
  readonly state: FileState
  readonly text: string | null
  /** It may hold secrets, which are shown only on request (S14). */
  readonly hidden: boolean
  /** From then to now. */
  readonly diff: ValueDiff
  /** The parts of the difference that can be put back alone, in its order. */
  readonly parts: readonly RestorablePart[]
}

/** What a session's turns did to a file and is still in it. */
export interface ChangedFile {
  readonly path: string
  /** Names the change as it is now: after any edit of the file it is another. */
  readonly key: string
  /** The same lines changed since: undoing it needs a decision. */
  readonly conflict: boolean
  /** Others edited the file too; those edits are no part of the change. */
  readonly hasOthersEdits: boolean
  readonly turns: readonly TurnName[]
  /** It may hold secrets, which are shown only on request (S14). */
  readonly hidden: boolean
  /** From the file without the turns' changes to the file now. */
  readonly diff: ValueDiff
  /** The parts of it that can be undone alone, in their order. */
  readonly parts: readonly RestorablePart[]
}

export interface SessionChangesReport {
  readonly session: string
  readonly files: readonly ChangedFile[]
  /** Changes that may not be the turns', or that cannot be undone. */
  readonly left: readonly LeftReport[]
}

/** One change of a file that was seen, whoever made it. */
export interface FileVersion {
  readonly seq: number
  readonly at: string
  /** A turn, an operation of Retake, git, or somebody outside. */
  readonly by: string
  /** Null where it is not a turn of this session. */
  readonly turn: (TurnName & { readonly prompt: string }) | null
  readonly operation: number | null
  readonly change: 'created' | 'modified' | 'deleted'
  readonly added: number
  readonly removed: number
}

export interface WrittenLine {
  readonly text: string
  /** The version that brought it; `before` all of them; `since` the last one, by nobody seen. */
  readonly from: number | 'before' | 'since'
}

export interface FileHistoryReport {
  readonly session: string
  readonly path: string
  /** Oldest first. */
  readonly versions: readonly FileVersion[]
  /** It may hold secrets, which are shown only on request (S14). */
  readonly hidden: boolean
  /** Null: it is not text now, too long, or hidden. */
  readonly lines: readonly WrittenLine[] | null
}
