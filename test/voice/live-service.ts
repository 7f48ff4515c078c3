/**
 * A local speech service that speaks the Live protocol. It understands nothing: the test sets what
 * it hears, calls and answers, and waits for what the page sends.
 *
 * ```ts
 * await using service = await liveService()
 * const talk = await service.connected()
 * await talk.heard()
 * talk.say({ serverContent: { inputTranscription: { text: 'go back' } } })
 * expect(await talk.call('go_back')).toMatchObject({ says: 'Undid 1 turn.' })
 * ```
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

/** A message of the client, with one of the protocol's keys. */
export interface Said {
  readonly setup?: Readonly<Record<string, unknown>>
  readonly realtimeInput?: {
    readonly audio?: { readonly data: string; readonly mimeType: string }
    readonly audioStreamEnd?: boolean
    readonly text?: string
  }
  readonly toolResponse?: {
    readonly functionResponses: readonly {
      readonly id: string
      readonly name: string
      readonly response: Readonly<Record<string, unknown>>
    }[]
  }
}

export interface Talk {
  readonly setup: Readonly<Record<string, unknown>>
  /** The path and query of the connection. */
  readonly address: string
  readonly said: readonly Said[]
  say(message: object): void
  /** Waits until audio above the silence level has arrived and ended. */
  heard(): Promise<void>
  /** The first matching message from now on. */
  next(fits: (said: Said) => boolean): Promise<Said>
  /** Calls a tool and returns the page's answer. */
  call(name: string, args?: object): Promise<Readonly<Record<string, unknown>>>
  /** Plays a tone of this length, with its transcript. */
  speak(text: string, milliseconds: number): void
  end(code?: number, reason?: string): void
}

export interface LiveService extends AsyncDisposable {
  readonly url: string
  /** Bodies and keys of the requests for tokens. */
  readonly requests: { readonly key: string | undefined; readonly body: Record<string, unknown> }[]
  /** The HTTP status of the next token requests. */
  status: number
  /** The next connection, or one that is already open and not yet taken. */
  connected(): Promise<Talk>
}

export async function liveService(): Promise<LiveService> {
  const requests: LiveService['requests'] = []
  const waiting: Talk[] = []
  const wanted: ((talk: Talk) => void)[] = []
  const mint = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const key = request.headers['x-goog-api-key'] as string | undefined
    requests.push({ key, body: await readBody(request) })
    // Error messages may repeat what was sent, including the key.
    const answer =
      service.status === 200
        ? { name: `auth_tokens/token-${requests.length}` }
        : { error: { code: service.status, message: `no: ${key}` } }
    response.writeHead(service.status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(answer))
  }
  const server = createServer((request, response) => void mint(request, response))
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    const said: Said[] = []
    const listeners = new Set<(message: Said) => void>()
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as Said
      said.push(message)
      if (message.setup !== undefined) {
        socket.send(JSON.stringify({ setupComplete: {} }))
        const talk = talkOver(socket, {
          said,
          listeners,
          address: request.url!,
          setup: message.setup,
        })
        const next = wanted.shift()
        if (next === undefined) waiting.push(talk)
        else next(talk)
      }
      for (const listener of listeners) listener(message)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: LiveService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    status: 200,
    connected() {
      const talk = waiting.shift()
      return talk === undefined
        ? new Promise((resolve) => wanted.push(resolve))
        : Promise.resolve(talk)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return service
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString('utf8') || '{}') as Record<string, unknown>
}

function talkOver(
  socket: WebSocket,
  known: {
    readonly said: Said[]
    readonly listeners: Set<(message: Said) => void>
    readonly address: string
    readonly setup: Readonly<Record<string, unknown>>
  },
): Talk {
  const { said, listeners, address, setup } = known
  let calls = 0
  const say = (message: object): void => socket.send(JSON.stringify(message))
  const next: Talk['next'] = (fits) =>
    new Promise((resolve) => {
      const listener = (message: Said): void => {
        if (!fits(message)) return
        listeners.delete(listener)
        resolve(message)
      }
      listeners.add(listener)
    })
  return {
    setup,
    address,
    said,
    say,
    next,
    async heard() {
      const isLoud = ({ realtimeInput }: Said): boolean =>
        realtimeInput?.audio !== undefined && loudness(realtimeInput.audio.data) > 500
      if (!said.some(isLoud)) await next(isLoud)
      const loud = said.findIndex(isLoud)
      const isOver = ({ realtimeInput }: Said): boolean => realtimeInput?.audioStreamEnd === true
      if (!said.slice(loud).some(isOver)) await next(isOver)
    },
    async call(name, args = {}) {
      calls += 1
      const id = `call-${calls}`
      const answered = next(({ toolResponse }) => toolResponse?.functionResponses[0]?.id === id)
      say({ toolCall: { functionCalls: [{ id, name, args }] } })
      return (await answered).toolResponse!.functionResponses[0]!.response
    },
    speak(text, milliseconds) {
      const data = tone(milliseconds).toString('base64')
      say({
        serverContent: {
          modelTurn: { parts: [{ inlineData: { data, mimeType: 'audio/pcm;rate=24000' } }] },
          outputTranscription: { text },
        },
      })
    },
    end: (code = 1000, reason = '') => socket.close(code, reason),
  }
}

function loudness(base64: string): number {
  const bytes = Buffer.from(base64, 'base64')
  let sum = 0
  for (let at = 0; at + 1 < bytes.length; at += 2) sum += bytes.readInt16LE(at) ** 2
  return Math.sqrt(sum / Math.max(1, bytes.length / 2))
}

function tone(milliseconds: number): Buffer {
  const samples = Math.round(24 * milliseconds)
  const bytes = Buffer.alloc(samples * 2)
  for (let at = 0; at < samples; at += 1)
    bytes.writeInt16LE(Math.round(3000 * Math.sin((at * 440 * 2 * Math.PI) / 24_000)), at * 2)
  return bytes
}
