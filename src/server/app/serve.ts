import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomBytes } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import {
  holdServerLock,
  readSession,
  settleSession,
  openProjectFiles,
  openReadAhead,
  openRuns,
  recoverKnownProjects,
  removeServerRecord,
  watchMachine,
  watchWork,
  writeServerRecord,
  type Machine,
  type MachineChange,
  type Run,
} from '#engine'
import { Failure } from '#failure'
import type { ServerView } from '#protocol'
import type { RunEvent } from '#timeline'
import { makeApp } from './app.ts'
import {
  type Browsers,
  makeDoor,
  makeKeys,
  openBrowsers,
  openConnections,
} from '../access/index.ts'
import { makeCommands } from './commands.ts'
import { type Feed, openFeed, openSockets, openRunningOperations } from '../live/index.ts'
import { listen, openLog, openMetrics, type ServerLog } from '../http/index.ts'
import { launchUrl } from '../routes/index.ts'
import { openPlans, type Served } from '../requests/index.ts'

export interface ServeOptions {
  /** 0 takes the port of the last start, or any free one. */
  readonly port: number
  readonly version: string
  /** Exit after this many milliseconds without use; null means never. */
  readonly idle: number | null
  /** The environment of agents that the server runs. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The speech key from the environment; it is sent only to the speech service. */
  readonly voiceKey: string | null
}

/** Retake's only long-lived process. It ends through `close`, or when it is not used. */
export interface RunningServer {
  readonly record: ServerView
  /** A link that opens the page once, within a minute. */
  makeLaunchUrl(): string
  readonly ended: Promise<'closed' | 'idle'>
  close(): Promise<void>
}

/** How long open requests may take to finish when the server ends. */
const GRACE_MS = 10_000

/** Null if another process is already the server. */
export async function serve(
  machine: Machine,
  { port: wanted, version, idle, environment, voiceKey }: ServeOptions,
): Promise<RunningServer | null> {
  const { runtime, state } = machine.places
  const lock = holdServerLock(machine)
  if (lock === null) return null
  using made = new DisposableStack()
  made.use(lock)
  const log = made.use(openLog(state, () => machine.now()))
  const keys = makeKeys()
  const browsers = openBrowsers(state, () => machine.now().getTime())
  const feed = openFeed(randomBytes(6).toString('base64url'))
  const work = made.use(watchWork(machine, (said) => log.write(said)))
  work.follow()
  const watch = made.use(
    watchMachine(machine, (change) => {
      tell(feed, change)
      if (change.kind !== 'operation-applied') work.follow()
      if (change.kind === 'session-left') void settle(machine, change.session, log)
    }),
  )
  const runs = openRuns(machine, { environment, executable: null }, (run, event) =>
    sendRunEvent(feed, run, event),
  )
  const connections = openConnections()
  const ending = new AbortController()
  let port = 0
  const door = makeDoor({ keys, connections, port: () => port })
  const served: Served = {
    machine,
    keys,
    browsers,
    connections,
    feed,
    plans: openPlans(),
    log,
    metrics: openMetrics(),
    watch,
    runs,
    // Rolls back operations that are still running when the server ends.
    underWay: openRunningOperations(feed, ending.signal),
    ahead: openReadAhead(machine),
    files: openProjectFiles(machine),
    version,
    voiceKey,
    get origin() {
      return `http://127.0.0.1:${port}`
    },
    get port() {
      return port
    },
  }
  const answer = getRequestListener(makeApp(served).fetch, { overrideGlobalObjects: false })
  const sockets = openSockets({ door, keys, feed, commands: makeCommands(served) })
  const requests = openRequests()

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    requests.begin(response)
    const refused = door.check(request)
    if (refused !== null) return door.refuse(response, refused)
    void answer(request, response)
  }
  const { port: got, servers } = await listenAgain(wanted, browsers, onRequest, (server) => {
    server.on('connection', (socket) => connections.enter(socket))
    server.on('upgrade', (request, socket, head) => {
      requests.touch()
      sockets.upgrade(request, socket, head)
    })
  })
  port = got
  const record: ServerView = {
    schema: 'retake.server/1',
    url: served.origin,
    port,
    token: keys.token,
    pid: process.pid,
  }
  writeServerRecord(machine.disk, runtime, record)
  log.write({ started: port, version, pid: process.pid })
  void recoverKnownProjects(machine, (said) => log.write(said))

  const stack = made.move()
  const ended = Promise.withResolvers<'closed' | 'idle'>()
  let closing: Promise<void> | null = null
  const end = async (why: 'closed' | 'idle'): Promise<void> => {
    clearInterval(timer)
    removeServerRecord(machine.disk, runtime, record)
    ending.abort()
    await runs.close()
    sockets.close()
    for (const server of servers) server.close()
    await requests.quiet(GRACE_MS)
    connections.closeAll()
    log.write({ ended: why, pid: process.pid })
    stack.dispose()
    ended.resolve(why)
  }
  const timer = setInterval(
    () => {
      const isIdle = feed.clients === 0 && !runs.isBusy && requests.idleFor() > (idle ?? Infinity)
      if (isIdle) closing ??= end('idle')
    },
    Math.min(30_000, (idle ?? Infinity) / 4),
  )
  return {
    record,
    makeLaunchUrl: () => launchUrl(served.origin, keys.makeCode()),
    ended: ended.promise,
    close: () => (closing ??= end('closed')),
  }
}

/**
 * Without a given port, listens on the port of the last start: open pages look for the server
 * there, and a browser is signed in for an origin, which includes the port.
 */
async function listenAgain(
  wanted: number,
  browsers: Browsers,
  ...how: Rest<Parameters<typeof listen>>
): ReturnType<typeof listen> {
  const last = wanted === 0 ? browsers.port : null
  if (last === null) {
    const listening = await listen(wanted, ...how)
    browsers.movedTo(listening.port, false)
    return listening
  }
  try {
    return await listen(last, ...how)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const listening = await listen(0, ...how)
    browsers.movedTo(listening.port, true)
    return listening
  }
}

type Rest<All extends readonly unknown[]> = All extends readonly [unknown, ...infer More]
  ? More
  : never

/** Publishes a change on the machine as events of the API. */
function tell(feed: Feed, change: MachineChange): void {
  switch (change.kind) {
    case 'session-created':
      return feed.publish({ event: 'session.created', session: change.session })
    case 'session-left':
    case 'session-updated':
      return feed.publish({ event: 'session.updated', session: change.session })
    case 'session-removed':
      return feed.publish({ event: 'session.removed', session: change.session })
    case 'operation-applied': {
      const { id, session, verb, files } = change.operation
      const ref = `${change.key}.${id}`
      const applied = files.filter(({ outcome }) => outcome === 'applied').map(({ path }) => path)
      feed.publish({ event: 'operation.applied', session, operation: id, verb, ref })
      if (applied.length > 0) feed.publish({ event: 'files.changed', session, files: applied })
      return feed.publish({ event: 'session.updated', session })
    }
  }
}

/** Completes a move that was pending until the agent left; its hook may never have run. */
async function settle(machine: Machine, id: string, log: ServerLog): Promise<void> {
  try {
    const { report } = readSession(machine, { session: id, project: null })
    for (const { kind, session } of await settleSession(machine, report))
      log.write({ settled: kind, session })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    log.write({ notSettled: id, code: error.code })
  }
}

/** Publishes the events of a run that matter to clients that do not follow it. */
function sendRunEvent(feed: Feed, { session, turn }: Run, event: RunEvent | 'started'): void {
  if (event === 'started') feed.publish({ event: 'turn.started', session, turn })
  else if (event.type === 'turn_end') feed.publish({ event: 'turn.ended', session, turn })
  else if (event.type === 'approval')
    feed.publish({ event: 'approval.asked', session, approval: event.id })
  else if (event.type === 'approval_answered')
    feed.publish({ event: 'approval.answered', session, approval: event.id })
}

/** Tracks open requests, and for how long there have been none. */
function openRequests() {
  const open = new Set<ServerResponse>()
  let last = performance.now()
  let onQuiet = (): void => {}
  return {
    touch: () => void (last = performance.now()),
    begin(response: ServerResponse): void {
      last = performance.now()
      open.add(response)
      response.once('close', () => {
        open.delete(response)
        last = performance.now()
        if (busy() === 0) onQuiet()
      })
    },
    idleFor: () => (busy() === 0 ? performance.now() - last : 0),
    /** Event streams have sent their headers and never end, so this does not wait for them. */
    async quiet(longest: number): Promise<void> {
      if (busy() === 0) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longest)
        onQuiet = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }

  function busy(): number {
    return [...open].filter(({ headersSent }) => !headersSent).length
  }
}
