/**
 * A real server process in a scene, on a real socket.
 *
 * ```ts
 * await using server = await serving(s)
 * expect(await server.get(`/api/sessions/${id}/messages`)).toMatchObject({ status: 200 })
 * ```
 */
import type { ChildProcess } from 'node:child_process'
import { expect } from 'vitest'
import { openClient, type Client, type EventView, type ServerView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { cli as built, type Scene } from '../scene.ts'

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A server, in any process. */
export interface Answering {
  readonly record: ServerView
  readonly url: string
  readonly client: Client
  get(path: string): Promise<Answer>
  post(path: string, body?: object): Promise<Answer>
  /** Listens to all events from now on. */
  listen(after?: string): Promise<Listener>
}

export interface Serving extends Answering, AsyncDisposable {
  readonly child: ChildProcess
  /** Its output on standard error. */
  talk(): string
  /** Ends it like Ctrl-C and returns its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export interface Listener extends AsyncDisposable {
  readonly heard: readonly EventView[]
  /** The first matching event, past or future. */
  until(fits: (event: EventView) => boolean): Promise<EventView>
}

export async function serving(
  s: Scene,
  {
    args = [],
    env = {},
    cli = built,
  }: { args?: readonly string[]; env?: Record<string, string>; cli?: string } = {},
): Promise<Serving> {
  const child = s.processes.start(process.execPath, [cli, 'serve', '--json', ...args], {
    cwd: s.project,
    env: { ...s.env, ...env },
  })
  let talk = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (talk += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const record = parseView<ServerView>(await firstLine(child, () => talk))
  return {
    ...answering(record),
    child,
    talk: () => talk,
    async end(signal = 'SIGINT') {
      child.kill(signal)
      return ended
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

export function answering(record: ServerView): Answering {
  const { url, token } = record
  const headers = { Authorization: `Bearer ${token}` }
  const client = openClient({ origin: url, token })
  const read = async (answer: Response): Promise<Answer> => {
    const text = await answer.text()
    // Validates every response against its published schema, errors too.
    return { status: answer.status, body: parseView(text) }
  }
  return {
    record,
    url,
    client,
    get: async (path) => read(await fetch(`${url}${path}`, { headers })),
    post: async (path, body) =>
      read(
        await fetch(`${url}${path}`, {
          method: 'POST',
          headers:
            body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
    listen: (after) => listen(client, after),
  }
}

function firstLine(child: ChildProcess, talk: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('\n')) resolve(said.slice(0, said.indexOf('\n')))
    })
    child.once('close', (code) => reject(new Error(`The server ended with ${code}: ${talk()}`)))
  })
}

/** A missing event fails its own test, with what came instead, and not all that follow. */
export const EVENT_TIMEOUT_MS = 60_000

export function noEvent(fits: unknown, heard: readonly EventView[]): Error {
  const events = heard.map((event) => JSON.stringify(event)).join('\n')
  return new Error(`No event for ${String(fits)}. Heard:\n${events}`)
}

async function listen(client: Client, after?: string): Promise<Listener> {
  const controller = new AbortController()
  const heard: EventView[] = []
  const waiting = new Set<() => void>()
  const opened = Promise.withResolvers<void>()
  const done = client
    .events({
      signal: controller.signal,
      ...(after === undefined ? {} : { after }),
      onOpen: () => opened.resolve(),
      onEvent(event) {
        heard.push(event)
        for (const look of waiting) look()
      },
    })
    // The stream ends with the test or the server.
    .catch((error: Error) => opened.reject(error))
  await opened.promise
  return {
    heard,
    until(fits) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(noEvent(fits, heard)), EVENT_TIMEOUT_MS)
        const look = (): void => {
          const found = heard.find(fits)
          if (found === undefined) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      })
    },
    async [Symbol.asyncDispose]() {
      controller.abort()
      await done
    },
  }
}

export function expectProblem({ status, body }: Answer, wanted: { status: number; code: string }) {
  expect({ status, code: body['code'] }).toEqual(wanted)
  expect(body).toMatchObject({
    schema: 'retake.error/1',
    status,
    type: `urn:retake:error:${wanted.code}`,
    detail: body['message'],
  })
}
