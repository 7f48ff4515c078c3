/** Finds and reads sessions, with their branches, marks and pending moves. */
export {
  filesOutOf,
  isAboutSession,
  planNewSession,
  planSessions,
  verifySessions,
} from './branch-session.ts'
export {
  branchRules,
  findBranch,
  isTrunk,
  labelOf,
  reportBranches,
  shownBranches,
} from './branches.ts'
export type { ConversationPlan, TitlePlan } from './conversation-plan.ts'
export {
  countSessions,
  findProject,
  findSession,
  hasSession,
  nameSession,
  openFound,
  type SessionQuery,
} from './find-session.ts'
export { findTurnOfMessage, findTurnOrStart } from './find-message.ts'
export { findTurn } from './find-turn.ts'
export { openKnownProject, withKnown } from './known-project.ts'
export { findProjectById, listProjects, type ProjectReport } from './list-projects.ts'
export { listSessions } from './list-sessions.ts'
export { findGoneProjects, planProjectMove } from './moved-projects.ts'
export { checkFree, freeName, refuseTakenNames } from './name-marks.ts'
export { outlineAhead, outlineNow, outlinePage, outlineSession } from './outline-ahead.ts'
export { isKnownEmpty, outlineTurn, type TurnOutline } from './outline-turn.ts'
export {
  dropPending,
  dropWritten,
  moveState,
  findOpenMove,
  pendingFact,
  putPending,
  putWritten,
  readPending,
  readWritten,
  turnsOf,
} from './pending-move.ts'
export {
  branchNameOf,
  effectOf,
  readBranches,
  readCheckpoints,
  readUndoState,
} from './read-branches.ts'
export { lineTurns, plannedFrom, readLedger, type ReadLedger } from './read-ledger.ts'
export {
  readFound,
  readImages,
  readLog,
  readLogPage,
  type ReadSession,
  readSession,
  readStatus,
  readTurn,
  withSession,
} from './read-session.ts'
export { reportTurn } from './report-turn.ts'
export {
  type ResolvedCommand,
  type CommandOptions,
  type Inside,
  type Marking,
  DEFAULT_OPTIONS,
  type SessionEdit,
} from './request.ts'
export {
  isInEffect,
  SESSION_ARCHIVED,
  SESSION_DELETED,
  SESSION_TITLE,
  type SinceFact,
  type TitleFact,
} from './session-labels.ts'
export { branchFact, checkpointFact } from './session-marks.ts'
export {
  findCaller,
  findPosition,
  liveProcesses,
  type SessionPosition,
  untilLeft,
  waitForCaller,
} from './session-position.ts'
export { placeOfTurn, switchTo } from './switch-to.ts'
export { turnsAhead } from './turns-ahead.ts'
export { waitForRows } from './wait-for-rows.ts'
