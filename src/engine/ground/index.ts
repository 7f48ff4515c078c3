/** The machine: its places, settings, sessions, and copies of transcripts. */
export {
  agentAt,
  agentOf,
  agentWords,
  findLiveProcesses,
  findSessionFile,
  listSessionFiles,
  listSessionFilesBelow,
  ownDirectories,
  wordsOf,
} from './agents.ts'
export { absoluteProgram } from './absolute-program.ts'
export { fingerprint } from './fingerprint.ts'
export { inWords } from './in-words.ts'
export type { MachineChange } from './machine-change.ts'
export type { Machine } from './machine.ts'
export { MARK_LABELS } from './mark-labels.ts'
export { formerPaths, movesOf, openSessionFile, rebase } from './moved-paths.ts'
export { openMachine } from './open-machine.ts'
export type { Page } from './page.ts'
export { userGit, type Places } from './places.ts'
export {
  noteRootOf,
  projectRoot,
  recordRootOf,
  rootOfSession,
  unwatchedTop,
} from './project-root.ts'
export { isFull, measureKept } from './quota.ts'
export {
  isServerNewer,
  readServerRecord,
  removeServerRecord,
  type ServerRecord,
  writeServerRecord,
} from './server-record.ts'
export { sessionsWithTurn } from './sessions-with-turn.ts'
export {
  changeSetting,
  readSettings,
  usableSettings,
  settingsOf,
  type SettingsReport,
} from './settings-file.ts'
export { type SettingKey, settingKeys, type Settings } from './settings.ts'
export { openSlice } from './slice.ts'
export { findLosses, keepProject, keepSessions, noteRemovedBranch } from './vault.ts'
