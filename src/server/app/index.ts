/** The server process, one per machine: routes and WebSockets behind the door (`access`). */
export { findOrServe, signOutBrowsers, writeLaunchFile } from './find-server.ts'
export { type RunningServer, serve, type ServeOptions } from './serve.ts'
