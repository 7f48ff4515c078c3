/**
 * A snapshot is the recorded state of a project's files at one moment. This room takes snapshots,
 * and reports what changed since the last one. The cost follows what changed.
 *
 * Guarantees: it writes and locks nothing in the project or its `.git`, and runs nothing that a
 * repository configures. It lists what it could not capture. It never reports a path as created if
 * the path was not scanned before, nor as deleted if the path left the scope.
 */
export type { Change, Differences } from './comparison.ts'
export { copyAllBorrowed, copyBorrowed, copySmallRepository } from './copy-borrowed.ts'
export {
  leftAloneKind,
  modeText,
  LEFT_OUT_WORDS,
  type LeftAloneKind,
  type LeftOutWhy,
} from './entry-value.ts'
export type { GitSettings } from './git-conversion.ts'
export type { UserGit } from './git-ignoring.ts'
export {
  gitMovesSince,
  readStashes,
  openCommitFiles,
  readGitPlace,
  type CommitFiles,
  type GitMove,
  type GitPlace,
} from './git-history.ts'
export type { TreeEntry } from './git-objects.ts'
export type { Limits } from './intake.ts'
export {
  closeProject,
  observe,
  openProject,
  type Observation,
  type Project,
  type Request,
} from './observe.ts'
export { findRepository } from './git-directory.ts'
export { listFiles, type FileList } from './list-files.ts'
export { isIgnoredIn, refuseScope } from './scope.ts'
export { forgetSnapshot, readLeftOut } from './load-table.ts'
export { watchProject, type ProjectWatch } from './watch.ts'
