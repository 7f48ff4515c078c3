/** Implements `Agent` with the other rooms. */
export { claudeCode } from './adapter.ts'
export { directoryOf, startedBy, withoutMarks } from './environment.ts'
export { words } from './words.ts'
