import type { BodyOf } from './commands/command.ts'
import type { CompareView } from './compare-view.ts'
import type { DiffView, OperationShowView, OperationsView } from './history-view.ts'
import type { BranchesView, CheckpointsView, UndoStateView } from './branches-view.ts'
import type { InstallView } from './install-view.ts'
import type { LeavesView } from './leaves-view.ts'
import type { LogView } from './log-view.ts'
import type { MessagesView } from './messages-view.ts'
import type { PlanView, ReceiptsView, ReceiptView } from './plan-view.ts'
import type {
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
import type {
  AbortView,
  ApprovalBody,
  ApprovalView,
  ConverseBody,
  ImagesView,
  ProjectsView,
  StartBody,
} from './run-view.ts'
import type { AgentsView } from './agents-view.ts'
import type {
  BrowsersView,
  CancelView,
  ChallengeView,
  FiguresView,
  HealthView,
  LaunchCodeView,
  LaunchView,
} from './server-view.ts'
import type { BranchedView, SessionsView } from './sessions-view.ts'
import type {
  ChangesView,
  FileAtView,
  FileHistoryView,
  MomentsView,
  ProjectFilesView,
} from './files-view.ts'
import type { DoctorView } from './doctor-view.ts'
import type { GcView } from './gc-view.ts'
import type { SettingsView } from './settings-view.ts'
import type { StorageView } from './storage-view.ts'
import type { SearchView } from './search-view.ts'
import type { ShowView } from './show-view.ts'
import type { StashShowView, StashView } from './stash-view.ts'
import type { StatusView } from './status-view.ts'
import type { TreeView } from './tree-view.ts'
import type { VersionsView } from './versions-view.ts'
import type { VoiceLineBody, VoiceLogView, VoiceTokenView, VoiceView } from './voice-view.ts'

/**
 * The routes of the server with their methods and paths; the types below define what each takes and
 * returns. Server and client are both built from this table, so that they cannot differ.
 */
export const routes = {
  launch: ['POST', '/api/launch'],
  makeLaunchCode: ['POST', '/api/launch-codes'],
  makeChallenge: ['POST', '/api/challenges'],
  signIn: ['POST', '/api/sign-in'],
  browsers: ['GET', '/api/browsers'],
  signOutBrowser: ['DELETE', '/api/browsers/:browser'],
  signOutBrowsers: ['DELETE', '/api/browsers'],
  health: ['GET', '/healthz'],
  figures: ['GET', '/api/figures'],
  agents: ['GET', '/api/agents'],
  installHooks: ['POST', '/api/hooks'],
  removeHooks: ['DELETE', '/api/hooks'],
  sessions: ['GET', '/api/sessions'],
  session: ['GET', '/api/sessions/:session'],
  turns: ['GET', '/api/sessions/:session/turns'],
  turn: ['GET', '/api/sessions/:session/turns/:turn'],
  turnImages: ['GET', '/api/sessions/:session/turns/:turn/images'],
  filesSince: ['GET', '/api/sessions/:session/turns/:turn/since'],
  messages: ['GET', '/api/sessions/:session/messages'],
  leaves: ['GET', '/api/sessions/:session/leaves'],
  tree: ['GET', '/api/sessions/:session/tree'],
  undoState: ['GET', '/api/sessions/:session/undo-state'],
  branches: ['GET', '/api/sessions/:session/branches'],
  checkpoints: ['GET', '/api/sessions/:session/checkpoints'],
  stash: ['GET', '/api/sessions/:session/stash'],
  stashEntry: ['GET', '/api/sessions/:session/stash/:entry'],
  restoreStash: ['POST', '/api/sessions/:session/stash/:entry/restore'],
  compare: ['GET', '/api/compare'],
  plan: ['POST', '/api/sessions/:session/plans'],
  planFile: ['GET', '/api/plans/:plan/files/:file'],
  planVersions: ['GET', '/api/plans/:plan/files/:file/versions'],
  apply: ['POST', '/api/plans/:plan/apply'],
  cancel: ['POST', '/api/plans/:plan/cancel'],
  back: ['POST', '/api/sessions/:session/back'],
  undo: ['POST', '/api/sessions/:session/undo'],
  redo: ['POST', '/api/sessions/:session/redo'],
  rewind: ['POST', '/api/sessions/:session/rewind'],
  revert: ['POST', '/api/sessions/:session/revert'],
  restore: ['POST', '/api/sessions/:session/restore'],
  switch: ['POST', '/api/sessions/:session/switch'],
  branch: ['POST', '/api/sessions/:session/branch'],
  changeBranch: ['PATCH', '/api/branches/:branch'],
  deleteBranch: ['DELETE', '/api/branches/:branch'],
  makeCanonical: ['POST', '/api/branches/:branch/canonical'],
  setCheckpoint: ['POST', '/api/sessions/:session/checkpoints'],
  deleteCheckpoint: ['DELETE', '/api/sessions/:session/checkpoints'],
  changeSession: ['PATCH', '/api/sessions/:session'],
  deleteSession: ['DELETE', '/api/sessions/:session'],
  changeSessions: ['PATCH', '/api/sessions'],
  deleteSessions: ['DELETE', '/api/sessions'],
  changes: ['GET', '/api/sessions/:session/changes'],
  moments: ['GET', '/api/sessions/:session/moments'],
  fileAt: ['GET', '/api/sessions/:session/files/:file'],
  fileHistory: ['GET', '/api/sessions/:session/files/:file/history'],
  projectFiles: ['GET', '/api/sessions/:session/project-files'],
  doctor: ['GET', '/api/doctor'],
  settings: ['GET', '/api/settings'],
  changeSetting: ['PATCH', '/api/settings'],
  storage: ['GET', '/api/storage'],
  collectGarbage: ['POST', '/api/storage/:store/gc'],
  search: ['GET', '/api/search'],
  projects: ['GET', '/api/projects'],
  abort: ['POST', '/api/sessions/:session/abort'],
  dropQueued: ['DELETE', '/api/runs/:run'],
  voice: ['GET', '/api/voice'],
  makeVoiceToken: ['POST', '/api/voice/token'],
  voiceLog: ['GET', '/api/sessions/:session/voice-log'],
  appendToVoiceLog: ['POST', '/api/sessions/:session/voice-log'],
  deleteVoiceLog: ['DELETE', '/api/sessions/:session/voice-log'],
  answerApproval: ['POST', '/api/approvals/:approval'],
  operations: ['GET', '/api/operations'],
  operation: ['GET', '/api/operations/:operation'],
  undoOperation: ['POST', '/api/operations/:operation/undo'],
} as const satisfies Record<string, readonly ['GET' | 'POST' | 'PATCH' | 'DELETE', string]>

export type RouteName = keyof typeof routes

export interface RouteTypes {
  launch: { body: LaunchBody; answer: LaunchView }
  makeLaunchCode: { answer: LaunchCodeView }
  makeChallenge: { answer: ChallengeView }
  signIn: { body: SignInBody; answer: LaunchView }
  browsers: { answer: BrowsersView }
  signOutBrowser: { answer: BrowsersView }
  signOutBrowsers: { answer: BrowsersView }
  health: { answer: HealthView }
  figures: { answer: FiguresView }
  agents: { answer: AgentsView }
  installHooks: { body: HooksBody; answer: InstallView }
  removeHooks: { body: HooksBody; answer: InstallView }
  sessions: { answer: SessionsView }
  session: { answer: StatusView }
  turns: { query: PageQuery; answer: LogView & { more: boolean } }
  turn: { query: RevealQuery; answer: ShowView }
  turnImages: { answer: ImagesView }
  filesSince: { query: RevealQuery; answer: DiffView }
  messages: { query: PageQuery; answer: MessagesView }
  leaves: { answer: LeavesView }
  tree: { answer: TreeView }
  undoState: { answer: UndoStateView }
  branches: { answer: BranchesView }
  checkpoints: { answer: CheckpointsView }
  stash: { answer: StashView }
  stashEntry: { query: RevealQuery; answer: StashShowView }
  restoreStash: { body: MoveOptions; answer: ReceiptView }
  compare: { query: CompareQuery; answer: CompareView }
  plan: { body: PlanBody; answer: PlanView | ReceiptView }
  planFile: { query: RevealQuery; answer: DiffView }
  planVersions: { query: VersionsQuery; answer: VersionsView }
  apply: { body: ApplyBody; answer: ReceiptView }
  cancel: { answer: CancelView }
  back: { body: BodyOf<'back'>; answer: ReceiptView }
  undo: { body: BodyOf<'undo'>; answer: ReceiptView }
  redo: { body: BodyOf<'redo'>; answer: ReceiptView }
  rewind: { body: BodyOf<'rewind'>; answer: ReceiptView }
  revert: { body: BodyOf<'revert'>; answer: ReceiptView }
  restore: { body: BodyOf<'restore'>; answer: ReceiptView }
  switch: { body: BodyOf<'switch'>; answer: ReceiptView }
  branch: { body: BodyOf<'branch'>; answer: BranchedView }
  changeBranch: { body: BranchBody; answer: ReceiptView }
  deleteBranch: { body: OfSession; answer: ReceiptView }
  makeCanonical: { body: OfSession; answer: ReceiptView }
  setCheckpoint: { body: BodyOf<'checkpoint'>; answer: ReceiptView }
  deleteCheckpoint: { body: BodyOf<'checkpoint-delete'>; answer: ReceiptView }
  changeSession: { body: SessionBody; answer: ReceiptView }
  deleteSession: { answer: ReceiptView }
  changeSessions: { body: ArchiveBody; answer: ReceiptsView }
  deleteSessions: { body: SessionsBody; answer: ReceiptsView }
  changes: { query: RevealQuery; answer: ChangesView }
  moments: { answer: MomentsView }
  fileAt: { query: MomentQuery; answer: FileAtView }
  fileHistory: { query: RevealQuery; answer: FileHistoryView }
  projectFiles: { query: ProjectFilesQuery; answer: ProjectFilesView }
  doctor: { answer: DoctorView }
  settings: { answer: SettingsView }
  changeSetting: { body: SettingBody; answer: SettingsView }
  storage: { answer: StorageView }
  collectGarbage: { body: CollectGarbageBody; answer: GcView }
  search: { query: SearchQuery; answer: SearchView }
  projects: { answer: ProjectsView }
  abort: { answer: AbortView }
  dropQueued: { answer: AbortView }
  voice: { answer: VoiceView }
  makeVoiceToken: { answer: VoiceTokenView }
  voiceLog: { answer: VoiceLogView }
  appendToVoiceLog: { body: VoiceLineBody; answer: VoiceLogView }
  deleteVoiceLog: { answer: VoiceLogView }
  answerApproval: { body: ApprovalBody; answer: ApprovalView }
  operations: { query: OperationsQuery; answer: OperationsView }
  operation: { query: OperationQuery; answer: OperationShowView }
  undoOperation: { body: UndoOperationBody; answer: ReceiptView }
}

/** Routes that answer with server-sent events of one turn of the agent. */
export const streams = {
  converse: ['POST', '/api/sessions/:session/converse'],
  start: ['POST', '/api/converse'],
  rejoin: ['GET', '/api/sessions/:session/run'],
  followRun: ['GET', '/api/runs/:run'],
} as const satisfies Record<string, readonly ['GET' | 'POST', string]>

export type StreamName = keyof typeof streams

interface StreamTypes {
  converse: ConverseBody
  start: StartBody
  rejoin: object
  followRun: object
}

export type StreamBody<Name extends StreamName> = StreamTypes[Name]
export type StreamParams<Name extends StreamName> = Record<
  ParamsOf<(typeof streams)[Name][1]>,
  string
>

/** The names of a path's parameters, such as `session`. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type RouteParams<Name extends RouteName> = Record<ParamsOf<(typeof routes)[Name][1]>, string>
export type RouteBody<Name extends RouteName> = RouteTypes[Name] extends { body: infer Body }
  ? Body
  : object
export type RouteQuery<Name extends RouteName> = RouteTypes[Name] extends { query: infer Query }
  ? Query
  : object
export type RouteAnswer<Name extends RouteName> = RouteTypes[Name]['answer']
