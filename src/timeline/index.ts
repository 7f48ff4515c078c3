/**
 * The timeline is a session as data: its turns, what they did to files, and plans for moving
 * between them. Everything here is pure and runs in the browser too, so that a preview, a dry run
 * and the real operation are one function.
 */
export { rankPaths } from './rank-paths.ts'
export {
  absent,
  sameValue,
  type ContentId,
  type FileValue,
  type ProjectPath,
  type SymlinkValue,
  type Value,
} from './value.ts'
export {
  buildTree,
  depthOf,
  numberOf,
  pathTo,
  stateOf,
  turnsOnlyOf,
  type Branch,
  type KnownOfTree,
  type Tree,
  type TurnState,
} from './tree.ts'
export {
  markOf,
  noMarks,
  plainBranch,
  type BranchMark,
  type Checkpoint,
  type FactChange,
  type Marks,
} from './marks.ts'
export type { Absorbed, Turn, TurnId } from './turn.ts'
export type { Progress, ProgressPhase } from './progress.ts'
export {
  editsOf,
  stepsOf,
  unknownEffects,
  type Moment,
  type Piece,
  type Recorded,
  type RecordedEdit,
  type Step,
  addTokens,
  noTokens,
  tokensOf,
  type Subagent,
  type Tokens,
} from './step.ts'
export type {
  BranchName,
  BranchReport,
  DamageReport,
  EditedFile,
  KeptReport,
  LossReport,
  FileDiff,
  FileNote,
  HookPlace,
  FileReport,
  GitReport,
  LeafReport,
  LogReport,
  MessageReport,
  Lineage,
  SessionReport,
  ShowReport,
  StatusReport,
  TreeReport,
  Coverage,
  TurnReport,
  VoiceLine,
  VoiceLogReport,
} from './report.ts'
export type {
  BranchDetails,
  BranchesReport,
  CheckpointReport,
  ComparedFile,
  CompareReport,
  CompareSide,
  Crowd,
  Effect,
  ShownStash,
  StashEntry,
  UndoState,
} from './branch-report.ts'
export type {
  ChangedFile,
  FileAtReport,
  FileHistoryReport,
  FileState,
  FileVersion,
  MomentsReport,
  WrittenLine,
  SessionChangesReport,
} from './files-report.ts'
export { findRetries, firstApart } from './retries.ts'
export { includable, wordsForLeft, type LeftKind, type LeftReport } from './left-report.ts'
export type { StorageReport } from './storage-report.ts'
export type { FoundFile, FoundTurn, SearchReport } from './search-report.ts'
export type { Contents } from './contents.ts'
export {
  countLines,
  diffTexts,
  diffValues,
  type DiffHunk,
  type DiffLine,
  type LineCounts,
  type ValueDiff,
} from './text-diff.ts'
export { addLink, cellsFromLinks } from './cell-links.ts'
export {
  filesStateOf,
  pathsOf,
  stayOut,
  type Author,
  type Cell,
  type CellId,
  type DirectoryChange,
  type Change,
  type Doubt,
  type FilesState,
  type Link,
  type OperationId,
  type Transition,
} from './cell.ts'
export type { LatestMove } from './move-fold.ts'
export { markValue, type Choice, type ConflictSides, type PathChoice } from './merge-view.ts'
export { splitLines } from './lines.ts'
export { findParts, restoreParts, type RestorablePart } from './restore-parts.ts'
export { holdsSecrets } from './secret-paths.ts'
export { alignThree, type ThreeWayBlock } from './three-way.ts'
export type { VersionReport, VersionsReport } from './versions-report.ts'
export { recordOperation } from './plan-operation.ts'
export type {
  Ask,
  FilePlan,
  FileReason,
  FileVerb,
  NotCovered,
  UnsureLink,
  NothingToDo,
  Outcome,
  Plan,
  Refused,
  Warning,
} from './plan-result.ts'
export type {
  CellChange,
  LatestMoveChange,
  Ledger,
  LineTurn,
  MarkVerb,
  Operation,
  Place,
  PlanOptions,
  PlanRequest,
  PlanVerb,
  Target,
  World,
} from './plan-world.ts'
export { encodeLike, isSameText } from './text-recorded.ts'
export { standsBeforeFirst } from './plan-route.ts'
export { filesPath, filesPlace } from './files-place.ts'
export { checkName, type BadName } from './name-rules.ts'
export { planFacts } from './plan-facts.ts'
export { findUndoable } from './plan-operation.ts'
export { makePlan, readsOf } from './plan.ts'
export type {
  HeldContent,
  OperationReport,
  ShownOperation,
  Continues,
  DirectoryPlan,
  PlanReport,
  ReceiptReport,
  TurnName,
} from './operation-report.ts'
export type { Approval, ApprovalAnswer, RunEvent, RunOutcome } from './run-event.ts'
