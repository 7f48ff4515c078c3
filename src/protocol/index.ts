/**
 * The JSON of `--json` and of the server's answers, which other programs build on. Existing names
 * are fixed, fields may be added. Each shape has a JSON Schema in docs/schemas.
 */
export { agentsView, forSession, type AgentsView, type AgentView } from './agents-view.ts'
export {
  branchesView,
  checkpointsView,
  undoStateView,
  type BranchesView,
  type CheckpointsView,
  type UndoStateView,
} from './branches-view.ts'
export { inRequest, inTerminal, inTypedLine, onCommandLine } from './act-words.ts'
export { hintOf, openClient, type Client, type ClientOptions, type RunOptions } from './client.ts'
export { moving, type Argument, type Kinds, type TurnInput } from './commands/arguments.ts'
export {
  verbOf,
  verbsOn,
  wordArguments,
  type BodyOf,
  type Command,
  type CommandOf,
  type VerbName,
  type VerbOn,
} from './commands/command.ts'
export { pastTense, staysAfter } from './commands/past-tense.ts'
export { dashed, readTyped, usageOf } from './commands/typed-line.ts'
export { verbs } from './commands/verbs.ts'
export { compareView, type CompareView } from './compare-view.ts'
export { bugReportView, type BugReportView } from './bug-report-view.ts'
export { doctorView, type DoctorView } from './doctor-view.ts'
export { errorView, hintView, type ErrorView } from './error-view.ts'
export { forgetView, purgeView, type ForgetView, type PurgeView } from './forget-view.ts'
export { gcView, type GcView } from './gc-view.ts'
export {
  checkView,
  diffView,
  operationView,
  operationsView,
  whereView,
  type CheckView,
  type DiffView,
  type OperationShowView,
  type OperationView,
  type OperationsView,
} from './history-view.ts'
export { installView, type InstallView } from './install-view.ts'
export { leavesView, type LeavesView } from './leaves-view.ts'
export { logView, type LogView } from './log-view.ts'
export { messagesView, type MessagesView, type MessageView } from './messages-view.ts'
export {
  spokenCall,
  spokenVerb,
  voiceInstruction,
  voiceTools,
  type SpokenCommand,
  type VoiceCall,
  type VoiceProperty,
} from './voice-tools.ts'
export {
  voiceLogView,
  type VoiceLineBody,
  type VoiceLogView,
  type VoiceTokenView,
  type VoiceView,
} from './voice-view.ts'
export { versionsView, type VersionsView } from './versions-view.ts'
export { wordsForProgress } from './progress-words.ts'
export { reopenWords } from './reopen-words.ts'
export { wordsForConflict, wordsForReason, wordsForSpan } from './reason-words.ts'
export {
  planView,
  receiptsView,
  receiptView,
  type PlanView,
  type ReceiptsView,
  type ReceiptView,
} from './plan-view.ts'
export type {
  ApplyBody,
  ArchiveBody,
  BranchBody,
  CompareQuery,
  HooksBody,
  MoveOptions,
  LaunchBody,
  OfSession,
  OperationQuery,
  OperationsQuery,
  PageQuery,
  PlanBody,
  RevealQuery,
  MomentQuery,
  CollectGarbageBody,
  ProjectFilesQuery,
  SearchQuery,
  SettingBody,
  SessionBody,
  SessionsBody,
  SignInBody,
  UndoOperationBody,
  VersionsQuery,
} from './requests.ts'
export { MAX_IMAGE_BYTES, MAX_IMAGES } from './run-view.ts'
export type {
  AbortView,
  ApprovalBody,
  ApprovalView,
  ConverseBody,
  ImagesView,
  ImageView,
  ProjectsView,
  RunEventView,
  StartBody,
} from './run-view.ts'
export {
  routes,
  streams,
  type StreamBody,
  type StreamName,
  type StreamParams,
  type RouteAnswer,
  type RouteBody,
  type RouteName,
  type RouteParams,
  type RouteQuery,
} from './routes.ts'
export {
  cancelView,
  type BrowsersView,
  type CancelView,
  type EventView,
  type FiguresView,
  type HealthView,
  type LaunchCodeView,
  type LaunchView,
  type ServerView,
} from './server-view.ts'
export { rescueView, type RescueView } from './rescue-view.ts'
export {
  branchedView,
  sessionsView,
  type BranchedView,
  type SessionsView,
} from './sessions-view.ts'
export {
  changesView,
  fileAtView,
  fileHistoryView,
  momentsView,
  type ChangedFileView,
  type ChangesView,
  type FileAtView,
  type FileHistoryView,
  type MomentsView,
  type ProjectFilesView,
} from './files-view.ts'
export { searchView, type SearchView } from './search-view.ts'
export { settingsView, type SettingsView } from './settings-view.ts'
export { showView, type HunksView, type ShowView } from './show-view.ts'
export { stashShowView, stashView, type StashShowView, type StashView } from './stash-view.ts'
export { statusView, type StatusView } from './status-view.ts'
export { storageView, type StorageView } from './storage-view.ts'
export { treeView, type TreeView } from './tree-view.ts'
