/**
 * The engine carries out what the surfaces ask for: it finds sessions, reads them, plans and
 * applies. It never talks to the user and never reads the environment.
 */
export { findProject, type Wanted } from './find-session.ts'
export { listSessions } from './list-sessions.ts'
export { openMachine, type Machine } from './machine.ts'
export type { Places } from './places.ts'
export { readLog, readStatus, readTurn } from './read-session.ts'
