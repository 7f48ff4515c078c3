/**
 * Claude Code: where it keeps its sessions, and how to read them. Above all, the head must be
 * exactly where the real program would resume.
 */
export { claudeCode as adapter } from './adapter/index.ts'
export { directoryOf, startedBy, withoutMarks, words } from './adapter/index.ts'
export { NAME as name } from './steps/index.ts'
