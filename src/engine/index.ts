/**
 * The engine carries out what the surfaces ask for: it finds sessions, reads them, plans and
 * applies. It never talks to the user and never reads the environment.
 */
export { rememberDirectory } from './agreed-directories.ts'
export { applyOperation, recoverProject } from './apply-operation.ts'
export type { Running } from '#journal'
export { askedAfterStop } from './asked-after-stop.ts'
export { checkProject } from './check.ts'
export { claimEvent } from './claim-event.ts'
export type { Reveal } from './diff-file.ts'
export { diffPlanFile } from './diff-plan-file.ts'
export { readPlanVersions } from './plan-versions.ts'
export { compare } from './compare.ts'
export { diffTurns } from './diff-turns.ts'
export { examine, type Finding } from './examine.ts'
export { readFigures, type Figures } from './figures.ts'
export { findTurnOfMessage } from './find-message.ts'
export { countSessions, findProject, hasSession, nameSession, type Wanted } from './find-session.ts'
export { forgetBranch, purgePath, type ForgetReport } from './forget.ts'
export { applyGc, GRACE_DAYS, planGc, type GcPlan } from './gc.ts'
export { hooksInstalled, hookSourcesOf, planHooks, planHooksRemoval } from './install.ts'
export { planLauncher, planLauncherRemoval, type LauncherPlan } from './launcher.ts'
export { listKnownProjects, openKnown } from './known-projects.ts'
export { openKnownProject } from './known-project.ts'
export { findProjectById, listProjects, type ProjectReport } from './list-projects.ts'
export { listSessions } from './list-sessions.ts'
export { openMachine, type Machine } from './machine.ts'
export { nothingPlan, nothingReceipt } from './nothing-receipt.ts'
export { observeProject, watchProject, type ProjectObserver } from './observe-project.ts'
export { outlinePage, outlineSession } from './outline-ahead.ts'
export { openProject, openProjectOrGone, type Project } from './open-project.ts'
export { openProjectFiles, type ProjectFiles } from './project-files.ts'
export { planProjectMove } from './moved-projects.ts'
export { readOperation, readOperations } from './operations.ts'
export { readFileAt, readFileHistory, readFilesSince, readMoments } from './files-in-time.ts'
export { readSessionChanges } from './session-changes.ts'
export { readStorage } from './storage.ts'
export { search, takeIn } from './search.ts'
export { showOperation } from './show-operation.ts'
export type { Page } from './page.ts'
export { openReadAhead, type ReadAhead } from './read-ahead.ts'
export { readLogWhere, type LogFilter } from './read-log-where.ts'
export { readMessages } from './read-messages.ts'
export { readLeaves, readTree } from './read-tree.ts'
export { openRuns, type Converse, type Run, type Runs, type Stopped } from './runs.ts'
export { planOperation } from './plan-operation.ts'
export type { Planned, PlannedNothing, PlannedOperation } from './planned.ts'
export type { Places } from './places.ts'
export { findBranch } from './branches.ts'
export { findTurn } from './find-turn.ts'
export {
  readImages,
  readLog,
  readLogPage,
  readSession,
  readStatus,
  readTurn,
  type ReadSession,
} from './read-session.ts'
export { readBranches, readCheckpoints, readUndoState } from './read-branches.ts'
export { appendToVoiceLog, deleteVoiceLog, readVoiceLog } from './voice-log.ts'
export { readStash, restoreStash, showStash } from './stash.ts'
export { toProjectPath } from './project-path.ts'
export { settingKeys, type SettingKey, type Settings } from './settings.ts'
export {
  changeSetting,
  readSettings,
  settingsForLooking,
  settingsOf,
  type SettingsReport,
} from './settings-file.ts'
export { refuseAtStart } from './refuse-at-start.ts'
export { holdServerLock, recoverKnownProjects } from './server-lock.ts'
export {
  readServerRecord,
  removeServerRecord,
  writeServerRecord,
  type ServerRecord,
} from './server-record.ts'
export { sessionsWithTurn } from './sessions-with-turn.ts'
export { stalePlan } from './stale-plan.ts'
export type { MachineChange } from './machine-change.ts'
export { switchTo } from './switch-to.ts'
export { keepLent } from './keep-lent.ts'
export { stayToLook } from './stay-to-look.ts'
export { watchWork } from './watch-work.ts'
export { watchMachine, type MachineWatch } from './watch-machine.ts'
export { measureKept } from './quota.ts'
export { applyRescue, planRescue, type RescuePlan } from './rescue.ts'
export { findLosses, keepProject, keepSessions } from './vault.ts'
export { takeEvents } from './take-spool.ts'
export { findCaller, waitForCaller } from './standing.ts'
export {
  takePendingNews,
  settleMoves,
  settleSession,
  type Leaving,
  type PendingNews,
  type SettledMove,
} from './settle-moves.ts'
export { readHeld, whereIs } from './where.ts'
export { renameOf } from './rename-session.ts'
export { plainly, type Asked, type AskedHow, type Inside, type SessionCare } from './request.ts'
export { makeDemo } from './make-demo.ts'
export { findVoiceKey, writeVoiceKey, type VoiceKey } from './voice-key.ts'
