/** The server process: routes and sockets behind the door, started once per machine. */
export { findOrServe, signOutBrowsers, writeLaunchFile } from './find-server.ts'
export { type RunningServer, serve, type ServeOptions } from './serve.ts'
