/**
 * The server: one API for every surface, on this machine only. It adds nothing to what the engine
 * does; it lets the right one in, says what the engine said, and tells everybody what changed.
 *
 * What it promises: it listens on loopback addresses alone; nothing but the page and the
 * description of the API is seen without the token; no path, command or content is taken from a
 * client; and nothing that a transcript says makes it write, start or fetch anything.
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
