/** Implements `Agent` with the other rooms. */
export { codex } from './adapter.ts'
export { directoryOf, startedBy, withoutMarks } from './environment.ts'
export { words } from './words.ts'
