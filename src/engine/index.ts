/**
 * The engine carries out what the surfaces ask for: it finds sessions, reads them, plans and
 * applies. It never talks to the user and never reads the environment.
 */
export { applyOperation, recoverProject } from './apply-operation.ts'
export { askedAfterStop } from './asked-after-stop.ts'
export { checkProject } from './check.ts'
export { diffTurns } from './diff-turns.ts'
export { readFigures, type Figures } from './figures.ts'
export { findTurnOfMessage } from './find-message.ts'
export { findProject, type Wanted } from './find-session.ts'
export { hooksInstalled, planHooks, planHooksRemoval } from './install.ts'
export { listKnownProjects, openKnown } from './known-projects.ts'
export { listSessions } from './list-sessions.ts'
export { openMachine, type Machine } from './machine.ts'
export { nothingReceipt } from './nothing-receipt.ts'
export { observeProject } from './observe-project.ts'
export { openProject, type Project } from './open-project.ts'
export { readOperation, readOperations } from './operations.ts'
export { planOperation, type Planned, type PlannedOperation } from './plan-operation.ts'
export type { Places } from './places.ts'
export { readMessages, type Page } from './read-messages.ts'
export {
  findTurn,
  readLog,
  readSession,
  readStatus,
  readTurn,
  type ReadSession,
} from './read-session.ts'
export { openRuns, type Converse, type Run, type Runs, type Stopped } from './runs.ts'
export { toProjectPath } from './project-path.ts'
export type { SettingKey, Settings } from './settings.ts'
export { changeSetting, readSettings, settingsOf, type SettingsReport } from './settings-file.ts'
export { refuseAtStart } from './refuse-at-start.ts'
export type { MachineChange } from './machine-change.ts'
export { watchMachine, type MachineWatch } from './watch-machine.ts'
export { readHeld, whereIs } from './where.ts'
export { plainly, type Asked, type AskedHow } from './request.ts'
