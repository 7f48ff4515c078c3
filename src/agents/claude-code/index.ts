/**
 * Claude Code: where it keeps its sessions, and what they say. Reading is exact about one thing
 * above all: the head is where the real program would resume.
 */
export { claudeCode as adapter } from './adapter/index.ts'
export { directoryOf, startedBy, withoutMarks, words } from './adapter/index.ts'
export { NAME as name } from './steps/index.ts'
