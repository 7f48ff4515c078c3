import type { FileState } from './files-report.ts'
import type { Choice, ConflictSides, LineEnds, ThreeWayBlock, ValueDiff } from '../text/index.ts'

/** One version of a file, apart from its lines. */
export interface VersionReport {
  readonly state: FileState
  /** In bytes; null where no file stands. */
  readonly size: number | null
  /** Permission bits, such as 0o644. */
  readonly mode: number | null
  readonly lineEnds: LineEnds | null
  readonly finalNewline: boolean | null
  /** Where a symbolic link leads, or why nothing is known. */
  readonly says: string | null
  /** Where the versions cannot be aligned, and this one is text: the text. */
  readonly text: string | null
}

/** What a file of a plan is between, and what would stand there after each choice. */
export interface VersionsReport {
  readonly session: string
  readonly plan: string
  readonly path: string
  readonly way: ConflictSides['way']
  /** It may hold secrets, and nobody asked to see them: no line of it is told (S14). */
  readonly hidden: boolean
  readonly base: VersionReport | null
  readonly yours: VersionReport
  readonly theirs: VersionReport
  /** Null: one of them is no text that can be shown. */
  readonly blocks: readonly ThreeWayBlock[] | null
  /** From what stands there now to what would. */
  readonly outcomes: readonly {
    readonly choice: Choice
    readonly after: VersionReport
    readonly diff: ValueDiff
  }[]
  /** The same for choices that were named, one for each place in conflict. */
  readonly chosen?: { readonly after: VersionReport; readonly diff: ValueDiff }
}
