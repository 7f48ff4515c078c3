/** Finds sessions, and opens one for reading. */
export { belongingsOf } from './belongings.ts'
export type { CodexSession } from './codex-session.ts'
export { indexFormat, openSessionIndex } from './session-index.ts'
export { readFirstRow } from './first-row.ts'
export { cwdOf, describeThread, metaOf, readShelf, type CodexFile } from './shelf.ts'
export { stateDatabase } from './places.ts'
export { readThreadNames } from './thread-names.ts'
export { watchSessions } from './watch-sessions.ts'
