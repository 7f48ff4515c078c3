import type { Choice, DiffHunk, ThreeWayBlock, VersionReport, VersionsReport } from '#timeline'
import { hunksOf } from './show-view.ts'

/** The versions of a file in a plan, and the result of each choice. */
export interface VersionsView extends Omit<VersionsReport, 'blocks' | 'outcomes' | 'chosen'> {
  schema: 'retake.versions/1'
  /** Null if one of them is not text that can be shown. */
  blocks: ThreeWayBlock[] | null
  outcomes: {
    choice: Choice
    after: VersionReport
    /** From the present content to the result. Null if it is not text, or it is hidden. */
    hunks: DiffHunk[] | null
  }[]
  /** The same for the requested choices, one per place in conflict. */
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
