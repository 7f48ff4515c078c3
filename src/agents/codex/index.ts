/**
 * Codex: where it keeps its sessions, and how to read them. A session is a thread: one rollout, or
 * several that continue one another.
 */
export { codex as adapter } from './adapter/index.ts'
export { directoryOf, startedBy, withoutMarks, words } from './adapter/index.ts'
export { NAME as name } from './steps/index.ts'
