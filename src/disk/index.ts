/**
 * The only room that accesses files. The rooms above see bytes, identities, and Failures with
 * messages for users. Crash tests see every call.
 */
export { appendText } from './append-text.ts'
export { insertPart, setMember, sliceText, spliceText, styleOf } from './json-edit.ts'
export { memberOf, outlineJson, type JsonPart, type JsonValue } from './json-outline.ts'
export { diskFailure } from './disk-failure.ts'
export { listDirectory, lstatPath, statPath, type Entry } from './list-directory.ts'
export { findListed } from './listed-name.ts'
export { ignoresCase, isSamePath, listedSpelling, realPathOf } from './real-path.ts'
export { exactRoot } from './exact-root.ts'
export { foldingOf, folds, type Folding } from './folding.ts'
export { fileSystemOf, type FileSystem } from './file-system.ts'
export { findProgram, type Program } from './find-program.ts'
export { readLines, type LineReader } from './read-lines.ts'
export {
  identityOf,
  readEnds,
  readRanges,
  readSmallFile,
  type FileEnds,
  type FileIdentity,
  type FileRanges,
} from './read-range.ts'
export { moveAside, place, putBack, supportsLinks, type Spot } from './apply-steps.ts'
export {
  durableDisk,
  errnoOf,
  isSameFile,
  mutatingCalls,
  type Disk,
  type Space,
  type Stat,
} from './durable-disk.ts'
export { Died, faultyDisk, type Fault, type FaultyDisk } from './faulty-disk.ts'
export {
  isOwnName,
  nameBytes,
  nameText,
  ownDirectoryName,
  ownNames,
  spellsGit,
  splitLast,
  splitPath,
} from './names.ts'
export {
  inDirectory,
  annexBelow,
  pinRoot,
  rootOfPath,
  tryInDirectory,
  type Directory,
  type PinnedDirectory,
  type PinnedRoot,
} from './pinned-root.ts'
export {
  blobId,
  LARGEST_FILE,
  readEntry,
  readOpenFile,
  readValue,
  type FoundEntry,
} from './read-value.ts'
export {
  invalidSettings,
  readSettings,
  removeSettings,
  replaceSettings,
  type SettingsFile,
} from './settings-file.ts'
export {
  canRelocate,
  dropRemoved,
  dropUnmade,
  createFiles,
  inspectRelocation,
  performRelocation,
  type NewFile,
  type Relocation,
} from './relocate.ts'
export { makeScratch, type Scratch } from './scratch.ts'
export { readBackStaged, stageFile, stageSymlink, type Staged } from './stage-file.ts'
export { isPlainOutput, writePart } from './standard-output.ts'
export { lastReadFrom, openTerminal, setLastRead } from './terminal.ts'
export { syncAll, syncTogether } from './sync-together.ts'
export {
  inspectAppend,
  performAppend,
  prepareAppend,
  type Append,
  type AppendProgress,
} from './write-append.ts'
export { writeFailure } from './write-failure.ts'
export { readOwnFile, removeIfExists, UNFINISHED, writeAll, writeOnce } from './write-once.ts'
export {
  inspectPrivate,
  makePrivateDirectory,
  makePrivateFile,
  syncDirectory,
} from './write-private.ts'
export { kindOf, listForScan, lstatForScan, type ListedEntry, type ScanStat } from './scan-list.ts'
export { scanPlain, type PlainDirectory } from './scan-plain.ts'
export {
  AT,
  decodeRow,
  encodeRow,
  HEADER,
  inodeOf,
  isPartialRow,
  isUnchanged,
  KINDS,
  RECORD,
  SELF,
  type Row,
  type RowEntry,
} from './scan-row.ts'
export { openWorkerPool, type WorkerPool } from './worker-pool.ts'
export { plainResultAt, type PlainJob, type PlainResults } from './scan-jobs.ts'
export { openRowScan, type RowScan } from './scan-rows.ts'
export { withSmallHeap } from './small-heap.ts'
export type { Finding } from './scan-verify.ts'
export { watchDirectory } from './watch-directory.ts'
export { lacksFsEvents } from './watch-tree.ts'
export { watchDirectories, type WatchedNames } from './watch-directories.ts'
