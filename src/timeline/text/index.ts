/** Lines and bytes: differences, merges, conflict markers. */
export { type LineEnds, splitLines } from './lines.ts'
export type { MarkLabels } from './merge-mark.ts'
export type { KeptMine, Three } from './merge-text.ts'
export {
  type Choice,
  type ConflictSides,
  type ConflictView,
  markValue,
  type PathChoice,
  viewConflict,
} from './merge-view.ts'
export {
  type ConflictRegion,
  type Merge,
  type MergeConflictReason,
  type MergeKind,
  mergeValues,
} from './merge.ts'
export { findParts, type RestorablePart, restoreParts } from './restore-parts.ts'
export {
  countLines,
  type DiffHunk,
  type DiffLine,
  diffTexts,
  diffValues,
  type LineCounts,
  type ValueDiff,
} from './text-diff.ts'
export { encodeLike, isSameText } from './text-recorded.ts'
export { alignThree, type ThreeWayBlock } from './three-way.ts'
