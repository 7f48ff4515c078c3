/** What the server pushes to clients: the event feed, run output, progress, WebSockets. */
export { streamEvents } from './event-stream.ts'
export { type Feed, openFeed } from './feed.ts'
export { streamRun } from './run-stream.ts'
export { type Commands, openSockets } from './sockets.ts'
export { openRunningOperations, type RunningOperations } from './running-operations.ts'
