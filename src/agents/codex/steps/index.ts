/** What a turn did: its steps, its edits, and what was said. */
export { readMoments, rowsOf } from './moments.ts'
export { NAME } from './name.ts'
export type { FindAgent } from './step.ts'
