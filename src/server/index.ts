/**
 * The server: one API for every surface, on this machine only. It adds nothing to what the engine
 * does: it checks who connects, returns the engine's answers, and tells all clients what changed.
 *
 * Guarantees: it listens only on loopback addresses; without a token, a client sees only the page
 * and the API docs; no path, command or content is taken from a client; and nothing in a transcript
 * makes it write, start or fetch anything.
 */
export {
  findOrServe,
  serve,
  signOutBrowsers,
  writeLaunchFile,
  type RunningServer,
  type ServeOptions,
} from './app/index.ts'
export { serveMcp } from './mcp/index.ts'
