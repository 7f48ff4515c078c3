import type { FileState } from './files-report.ts'
import type { Choice, ConflictSides, LineEnds, ThreeWayBlock, ValueDiff } from '../text/index.ts'

/** One version of a file, without its lines. */
export interface VersionReport {
  readonly state: FileState
  /** In bytes. Null if there is no file. */
  readonly size: number | null
  /** Permission bits, such as 0o644. */
  readonly mode: number | null
  readonly lineEnds: LineEnds | null
  readonly finalNewline: boolean | null
  /** The target of a symbolic link, or why the version is unknown. */
  readonly says: string | null
  /** The text, if this version is text but the versions cannot be aligned. */
  readonly text: string | null
}

/** The sides of a conflict at a file of a plan, and the result of each choice. */
export interface VersionsReport {
  readonly session: string
  readonly plan: string
  readonly path: string
  readonly way: ConflictSides['way']
  /** It may hold secrets and the user did not ask to see them, so its lines are omitted (S14). */
  readonly hidden: boolean
  readonly base: VersionReport | null
  readonly yours: VersionReport
  readonly theirs: VersionReport
  /** Null: one of them is not text that can be shown. */
  readonly blocks: readonly ThreeWayBlock[] | null
  /** Each choice's result, compared with the present file. */
  readonly outcomes: readonly {
    readonly choice: Choice
    readonly after: VersionReport
    readonly diff: ValueDiff
  }[]
  /** The same for the given choices, one for each conflicting place. */
  readonly chosen?: { readonly after: VersionReport; readonly diff: ValueDiff }
}
