import type { Choice, DiffHunk, ThreeWayBlock, VersionReport, VersionsReport } from '#timeline'
import { hunksOf } from './show-view.ts'

/** What a file of a plan is between, and what would stand there after each choice. */
export interface VersionsView extends Omit<VersionsReport, 'blocks' | 'outcomes' | 'chosen'> {
  schema: 'retake.versions/1'
  /** Null: one of them is no text that can be shown. */
  blocks: ThreeWayBlock[] | null
  outcomes: {
    choice: Choice
    after: VersionReport
    /** From what stands there now to what would. Null: not text, or it is hidden. */
    hunks: DiffHunk[] | null
  }[]
  /** The same for choices that were named, one for each place in conflict. */
  chosen?: { after: VersionReport; hunks: DiffHunk[] | null }
}

export function versionsView(report: VersionsReport): VersionsView {
  const { blocks, outcomes, chosen, ...rest } = report
  return {
    schema: 'retake.versions/1',
    ...rest,
    blocks: blocks === null ? null : [...blocks],
    outcomes: outcomes.map(({ choice, after, diff }) => ({
      choice,
      after,
      hunks: hunksOf({ path: rest.path, diff }).hunks,
    })),
    ...(chosen === undefined
      ? {}
      : {
          chosen: {
            after: chosen.after,
            hunks: hunksOf({ path: rest.path, diff: chosen.diff }).hunks,
          },
        }),
  }
}
