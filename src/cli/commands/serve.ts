import { spawn } from 'node:child_process'
import type { ServerView } from '#protocol'
import { findOrServe, signOutBrowsers, writeLaunchFile, type RunningServer } from '#server'
import type { Context } from '../context.ts'

/** Idle timeout in ms of a server started to open the page; `retake serve` alone has none. */
const IDLE = 60 * 60 * 1000

/** Uses the running server, or serves until Ctrl-C. */
export async function serveHere(
  context: Context,
  { port, isOpening, version }: { port: number; isOpening: boolean; version: string },
): Promise<void> {
  const { machine } = context
  const found = await findOrServe(machine, {
    port,
    version,
    idle: isOpening ? IDLE : null,
    environment: context.environment.agent,
    voiceKey: context.environment.voiceKey,
  })
  if (found.kind === 'found') {
    announce(context, found.record, found.launchUrl)
    context.say(context.paint.quiet(`The server is already running (process ${found.record.pid}).`))
    if (isOpening) openBrowser(context, found.launchUrl)
    return
  }
  const { server } = found
  const launchUrl = server.makeLaunchUrl()
  announce(context, server.record, launchUrl)
  if (isOpening) openBrowser(context, launchUrl)
  await untilEnd(context, server)
}

/** Signs out every browser; each needs a new link. */
export async function signOut(context: Context): Promise<void> {
  await signOutBrowsers(context.machine)
  context.say('Signed out every browser. `retake` prints a link to sign in again.')
}

function announce(context: Context, record: ServerView, launchUrl: string): void {
  // One line, because programs that start a server read the first line.
  if (context.json) return context.write(JSON.stringify(record))
  context.write(launchUrl)
  context.say(
    context.paint.quiet('The link works once, within a minute. Run `retake` for another.'),
  )
}

async function untilEnd(context: Context, server: RunningServer): Promise<void> {
  const close = (): void => {
    void server.close()
    // A second Ctrl-C ends at once; the next start recovers interrupted operations.
    for (const signal of SIGNALS) process.removeListener(signal, close)
  }
  for (const signal of SIGNALS) process.on(signal, close)
  // Only `retake demo` opens an IPC channel: if it is killed, it cannot send a signal.
  process.once('disconnect', close)
  if (!context.json) context.say(context.paint.quiet('Press Ctrl-C to end the server.'))
  const why = await server.ended
  for (const signal of SIGNALS) process.removeListener(signal, close)
  process.removeListener('disconnect', close)
  if (process.connected) process.disconnect()
  if (why === 'idle') context.say('The server ended after an hour without requests.')
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Only from a local interactive terminal: over ssh the page would open on the wrong screen. */
function openBrowser({ environment, interactive, machine }: Context, launchUrl: string): void {
  const { browser } = environment
  if (browser === null || !interactive) return
  const child = spawn(browser, [writeLaunchFile(machine, launchUrl)], {
    stdio: 'ignore',
    detached: true,
  })
  // Without such a program the user follows the printed link.
  child.on('error', () => {})
  child.unref()
}
