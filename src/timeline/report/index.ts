/** The shapes in which plans, turns and sessions are shown. */
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
  SessionChangesReport,
  WrittenLine,
} from './files-report.ts'
export { groupKept, wordsForChangedBy, type KeptBy } from './changed-by.ts'
export { includable, sayLeft, type LeftKind, type LeftReport, wordsForLeft } from './left-report.ts'
export type {
  Continues,
  DirectoryPlan,
  HeldContent,
  OperationReport,
  PlanReport,
  ReceiptReport,
  Reopen,
  ReopenRefusal,
  ShownOperation,
} from './operation-report.ts'
export type {
  BranchName,
  BranchReport,
  Coverage,
  DamageReport,
  EditedFile,
  FileDiff,
  FileNote,
  FileReport,
  GitReport,
  HookPlace,
  KeptReport,
  LeafReport,
  Lineage,
  LogReport,
  LossReport,
  MessageReport,
  SessionReport,
  ShowReport,
  StatusReport,
  TreeReport,
  TurnReport,
  VoiceLine,
  VoiceLogReport,
} from './report.ts'
export type { Approval, ApprovalAnswer, RunEvent, RunOutcome } from './run-event.ts'
export type { FoundFile, FoundTurn, SearchReport } from './search-report.ts'
export { holdsSecrets } from './secret-paths.ts'
export type { StorageReport } from './storage-report.ts'
export type { VersionReport, VersionsReport } from './versions-report.ts'
