import type { LeftReport } from './left-report.ts'
import type { RestorablePart, ValueDiff } from '../text/index.ts'
import type { TurnId, TurnName } from '../data/index.ts'

/** The times at which a session's line changed files. */
export interface MomentsReport {
  readonly session: string
  readonly head: TurnId | null
  readonly turns: readonly (TurnName & {
    readonly prompt: string
    readonly at: string | null
    /** Its file changes, in order. */
    readonly steps: readonly { readonly seq: number; readonly path: string; readonly at: string }[]
  })[]
  /**
   * The files that turns on any of its branches changed. Other reports refer to a file by its index
   * here.
   */
  readonly files: readonly string[]
}

/** Whether and how a file can be shown. */
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
  /** The parts of the difference that can be restored alone, in order. */
  readonly parts: readonly RestorablePart[]
}

/** The changes of a session's turns that are still in a file. */
export interface ChangedFile {
  readonly path: string
  /** Identifies the present change. Any edit of the file changes it. */
  readonly key: string
  /** The same lines changed since, so undoing it needs a choice. */
  readonly conflict: boolean
  /** Others edited the file too. Their edits are not part of the change. */
  readonly hasOthersEdits: boolean
  readonly turns: readonly TurnName[]
  /** It may hold secrets, which are shown only on request (S14). */
  readonly hidden: boolean
  /** From the file without the turns' changes to the file now. */
  readonly diff: ValueDiff
  /** Its parts that can be undone alone, in order. */
  readonly parts: readonly RestorablePart[]
}

export interface SessionChangesReport {
  readonly session: string
  readonly files: readonly ChangedFile[]
  /** Changes that may not be the turns', or that cannot be undone. */
  readonly left: readonly LeftReport[]
}

/** One observed change of a file, by any author. */
export interface FileVersion {
  readonly seq: number
  readonly at: string
  /** A turn, an operation of Retake, git, or someone else. */
  readonly by: string
  /** Null if it is not a turn of this session. */
  readonly turn: (TurnName & { readonly prompt: string }) | null
  readonly operation: number | null
  readonly change: 'created' | 'modified' | 'deleted'
  readonly added: number
  readonly removed: number
}

export interface WrittenLine {
  readonly text: string
  /**
   * The version that added it. `before`: older than all versions. `since`: newer than the last one,
   * by an unknown author.
   */
  readonly from: number | 'before' | 'since'
}

export interface FileHistoryReport {
  readonly session: string
  readonly path: string
  /** Oldest first. */
  readonly versions: readonly FileVersion[]
  /** It may hold secrets, which are shown only on request (S14). */
  readonly hidden: boolean
  /** Null: the file is not text now, is too long, or is hidden. */
  readonly lines: readonly WrittenLine[] | null
}
