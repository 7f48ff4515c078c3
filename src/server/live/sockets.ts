import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { z } from '@hono/zod-openapi'
import { WebSocketServer, type WebSocket } from 'ws'
import { Failure } from '#failure'
import { errorView, inRequest, type EventView } from '#protocol'
import type { Door, Keys } from '../access/index.ts'
import type { Feed } from './feed.ts'
import { failureOf, problemText } from '../http/index.ts'

export interface Sockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

/** The commands that a client may send over the socket, by event name. */
export type Commands = Readonly<Record<string, (message: unknown) => Promise<object>>>

const LARGEST_FRAME = 256 * 1024
const MAX_UNSENT = 1024 * 1024
const MAX_CLIENTS = 64
const PING = 30_000

/**
 * The feed over WebSockets, and commands from clients. A page sends the token as a subprotocol, the
 * only header it can set. The server answers with another subprotocol, `retake`, if it is offered.
 */
export function openSockets({
  door,
  keys,
  feed,
  commands,
}: {
  door: Door
  keys: Keys
  feed: Feed
  commands: Commands
}): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_FRAME,
    perMessageDeflate: false,
    handleProtocols: (offered) =>
      offered.has('retake') ? 'retake' : ([...offered].find((name) => keys.isToken(name)) ?? false),
  })
  const alive = new WeakSet<WebSocket>()
  const timer = setInterval(() => {
    for (const client of server.clients) {
      if (!alive.delete(client)) client.terminate()
      else client.ping()
    }
  }, PING)
  timer.unref()

  const follow = (client: WebSocket, after: string | null): void => {
    alive.add(client)
    const send = (message: object): void => {
      // A window that stopped reading must not fill our memory. It reconnects and gets the missed
      // events.
      if (client.bufferedAmount > MAX_UNSENT) client.terminate()
      else client.send(JSON.stringify(message))
    }
    const subscription = feed.subscribe(after, (event: EventView) => send(event))
    client.on('pong', () => alive.add(client))
    client.on('error', () => client.terminate())
    client.on('close', () => subscription[Symbol.dispose]())
    client.on('message', (data: Buffer, isBinary) => {
      alive.add(client)
      void obey(commands, isBinary ? null : data.toString('utf8')).then(send)
    })
  }

  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy())
      const refused =
        door.checkUpgrade(request) ??
        (server.clients.size >= MAX_CLIENTS
          ? { status: 503, code: 'too-many-clients', message: 'Too many windows are open.' }
          : null)
      if (refused !== null) {
        const body = problemText(refused, refused.status)
        socket.end(
          `HTTP/1.1 ${refused.status} Refused\r\nConnection: close\r\n` +
            `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        )
        return
      }
      const after = new URL(request.url!, 'http://localhost').searchParams.get('after')
      server.handleUpgrade(request, socket, head, (client) => follow(client, after))
    },
    close() {
      clearInterval(timer)
      for (const client of server.clients) client.close(1001)
      server.close()
    },
  }
}

const message = z.looseObject({
  event: z.string().max(64),
  /** Returned with the reply, so that the client can match the two. */
  requestId: z.union([z.string().max(128), z.number()]).optional(),
})

async function obey(commands: Commands, text: string | null): Promise<object> {
  let about: object = {}
  try {
    const { success, data } = message.safeParse(parse(text))
    if (!success) throw new Failure('body-invalid', 'Messages are JSON with an `event`.')
    if (data.requestId !== undefined) about = { requestId: data.requestId }
    if (!Object.hasOwn(commands, data.event))
      throw new Failure('not-found', `There is no command \`${data.event}\`.`, {
        hint: `Commands: ${Object.keys(commands).join(', ')}.`,
      })
    return { ...(await commands[data.event]!(data)), ...about }
  } catch (error) {
    const failure = failureOf(error)
    return { event: 'error', ...errorView(failure, inRequest), ...about }
  }
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
