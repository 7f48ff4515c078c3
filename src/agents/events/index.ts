/** What hooks leave for Retake to read, and how they request scans. */
export { joinScanRequests, openScanRequests, type ScanRequests } from './scan-requests.ts'
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
