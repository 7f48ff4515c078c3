/** The server's background work: watches sessions, stores and files, and reads ahead. */
export { openReadAhead, type ReadAhead } from './read-ahead.ts'
export { holdServerLock, recoverKnownProjects } from './server-lock.ts'
export { answeringScanRequests, stayToScan } from './stay-to-scan.ts'
export { type MachineWatch, watchMachine } from './watch-machine.ts'
export { watchWork } from './watch-work.ts'
