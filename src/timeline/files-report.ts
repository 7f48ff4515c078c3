import type { TurnName } from './operation-report.ts'
import type { RestorablePart } from './restore-parts.ts'
import type { ValueDiff } from './text-diff.ts'
import type { TurnId } from './turn.ts'

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
  /** It may hold secrets, and nobody asked to see them (S14). */
  readonly hidden: boolean
  /** From then to now. */
  readonly diff: ValueDiff
  /** The parts of the difference that can be put back alone, in its order. */
  readonly parts: readonly RestorablePart[]
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
  /** It may hold secrets, and nobody asked to see them (S14). */
  readonly hidden: boolean
  /** Null: it is not text now, too long, or hidden. */
  readonly lines: readonly WrittenLine[] | null
}
