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
  copyLent,
  observeProject,
  type ProjectObserver,
  watchProject,
  whyNeverLookedAt,
} from './observe-project.ts'
export { isLookedAtOutside, lastLookOutside } from './observe-outside.ts'
export { isSavedToo } from './speaks-against.ts'
export { openOf } from './steps-told.ts'
export { runsBehind, takeEvents } from './take-spool.ts'
export { takenTurns } from './taken-turns.ts'
export { unrecordedChanges } from './unrecorded-changes.ts'
