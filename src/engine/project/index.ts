/** One project: its root, its store, its files as they are now, and the record of operations. */
export {
  addedOutside,
  addedTo,
  agreedTo,
  directoryToAgree,
  isAgreedPath,
  knownPath,
  openAgreed,
  outsidePath,
  outsideReal,
  rememberDirectory,
} from './agreed-directories.ts'
export { isIn } from './annexes.ts'
export { diffFile, diffPieces, diffOf, isHidden, type Reveal } from './diff-file.ts'
export { listKnownProjects, openKnown } from './known-projects.ts'
export { openProject, openProjectOrGone, projectMissing } from './open-project.ts'
export {
  type BranchSession,
  DETAILS_VERSION,
  type FollowDetails,
  type OperationDetails,
  type PendingMove,
} from './operation-details.ts'
export {
  detailsOf,
  FOLLOW,
  followedBy,
  isAsked,
  newestOperation,
  operationsOf,
  withoutPrompt,
} from './operation-record.ts'
export { projectContents, type ProjectContents } from './project-contents.ts'
export { openProjectFiles, type ProjectFiles } from './project-files.ts'
export { projectPaths, realOf, toProjectPath } from './project-path.ts'
export type { Project } from './project.ts'
export { headAfterCheckout, type GitState, readGit } from './read-git.ts'
export { inspectPresent, NOT_AGREED, readNeighbours, readPresent } from './read-present.ts'
export { bytesOf, stateOf, textOf } from './text-of.ts'
export { openWatched, type Watched } from './watched-directories.ts'
export { isOfFile, type MomentInTime, valueAt } from './value-at.ts'
