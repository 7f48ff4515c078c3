/** Determines the author of each change: weaves scans, edits, hooks and git into the ledger. */
export { coveredTurns } from './coverage.ts'
export { editedBetween } from './edited-between.ts'
export { REWOUND } from './find-rewound.ts'
export { noteForgotten } from './forgotten-turns.ts'
export { branchAtPrompt, gitMovesByTurn } from './git-moves.ts'
export { withGrownFiles } from './grown-files.ts'
export { ingest } from './ingest.ts'
export { leftAloneBy, leftAloneIn, leftModes, leftOutIn, shownPath } from './left-alone.ts'
export { leftShared } from './left-shared.ts'
export { leftInAdded } from './left-in-added.ts'
export { mayTouchGit } from './may-touch-git.ts'
export {
  copyFromGit,
  copyBorrowedEarly,
  observeProject,
  type ProjectObserver,
  watchProject,
  whyNeverScanned,
} from './observe-project.ts'
export { isScannedOutside, lastOutsideScan } from './observe-outside.ts'
export { isSavedToo, isWithJob } from './doubt-authors.ts'
export { leavesProcessRunning } from './leaves-process-running.ts'
export { editPaths, evidenceOf } from './recorded-links.ts'
export { openPart } from './reported-steps.ts'
export { runsInBackground, takeEvents } from './take-spool.ts'
export { ingestedTurns } from './ingested-turns.ts'
export { unrecordedChanges } from './unrecorded-changes.ts'
