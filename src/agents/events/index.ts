/** What hooks leave for Retake to read, and how they request scans. */
export { joinLooks, openLooks, type Looks } from './looks.ts'
export { signalReaches } from './signal-reaches.ts'
export type { HookEvent, ShellStamp, SpoolEvent } from './spool-event.ts'
export {
  dropSpooled,
  FULL,
  isSpoolFull,
  prepareSpool,
  readSpool,
  reopenSpool,
  spoolDirectory,
} from './spool.ts'
