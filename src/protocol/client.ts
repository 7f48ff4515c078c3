import { Failure, type FailureCode, type Remedy } from '#failure'
import type { ErrorView } from './error-view.ts'
import {
  routes,
  streams,
  type RouteAnswer,
  type RouteBody,
  type RouteName,
  type RouteParams,
  type RouteQuery,
  type StreamBody,
  type StreamName,
  type StreamParams,
} from './routes.ts'
import type { RunEventView } from './run-view.ts'
import type { EventView } from './server-view.ts'

/** One function per route. Its input combines path parameters, query and body. */
export type Client = {
  readonly [Name in RouteName]: (
    input: RouteParams<Name> & RouteQuery<Name> & RouteBody<Name>,
  ) => Promise<RouteAnswer<Name>>
} & {
  /** Follows one turn of the agent to its end. The agent continues without followers. */
  readonly [Name in StreamName]: (
    input: StreamParams<Name> & StreamBody<Name>,
    options: RunOptions,
  ) => Promise<void>
} & {
  /**
   * Follows events until the signal aborts or the connection ends. `after` is the id of the last
   * event received.
   */
  events(this: void, options: EventOptions): Promise<void>
}

export interface EventOptions {
  readonly onEvent: (event: EventView) => void
  readonly after?: string
  /** The connection is open: from here on no event is missed. */
  readonly onOpen?: () => void
  readonly signal?: AbortSignal
}

export interface RunOptions {
  readonly onEvent: (event: RunEventView, id: string) => void
  /** The id of the last event received, to get only later ones. */
  readonly after?: string
  readonly signal?: AbortSignal
}

export interface ClientOptions {
  /** Empty in the page that the server itself sent. */
  readonly origin: string
  readonly token: string | null
  readonly fetch?: typeof globalThis.fetch
}

/** A client of the server, for browsers and Node. Errors are Failures with their codes. */
export function openClient({ origin, token, fetch = globalThis.fetch }: ClientOptions): Client {
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` }

  const ask = (
    [method, path]: readonly [string, string],
    input: object,
    more: { after?: string | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<Response> => {
    const rest = new Map(Object.entries(input))
    const filled = path.replaceAll(/:(\w+)/g, (_, place: string) => {
      const value: unknown = rest.get(place)
      rest.delete(place)
      return encodeURIComponent(String(value))
    })
    const given = [...rest].filter(([, value]) => value !== undefined)
    const query = new URLSearchParams()
    for (const [key, value] of given) query.set(key, String(value))
    const inQuery = method === 'GET' && given.length > 0
    return fetch(`${origin}${filled}${inQuery ? `?${query.toString()}` : ''}`, {
      method,
      headers: {
        ...headers,
        ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
        ...(more.after === undefined ? {} : { 'Last-Event-ID': more.after }),
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(Object.fromEntries(given)) }),
      ...(more.signal === undefined ? {} : { signal: more.signal }),
    })
  }

  const events = async ({ onEvent, onOpen, after, signal }: EventOptions): Promise<void> => {
    const answer = await ask(['GET', '/api/events'], {}, { after, signal })
    await readStream(answer, (data) => onEvent(data as EventView), onOpen)
  }

  const follow = async (
    name: StreamName,
    input: object,
    { onEvent, after, signal }: RunOptions,
  ): Promise<void> => {
    const answer = await ask(streams[name], input, { after, signal })
    await readStream(answer, (data, id) => onEvent(data as RunEventView, id))
  }

  const answers = Object.keys(routes).map((name) => [
    name,
    async (input: object = {}) => read(await ask(routes[name as RouteName], input)),
  ])
  const followed = Object.keys(streams).map((name) => [
    name,
    (input: object, options: RunOptions) => follow(name as StreamName, input, options),
  ])
  return { ...Object.fromEntries([...answers, ...followed]), events } as Client
}

/** Reads server-sent events until the connection ends. */
async function readStream(
  answer: Response,
  onEvent: (data: unknown, id: string) => void,
  onOpen?: () => void,
): Promise<void> {
  if (!answer.ok || answer.body === null) await read(answer)
  onOpen?.()
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data !== undefined) onEvent(JSON.parse(data), /^id: (.*)$/m.exec(block)?.[1] ?? '')
    }
  }
}

async function read(answer: Response): Promise<unknown> {
  const text = await answer.text()
  if (answer.ok) return JSON.parse(text)
  throw failureOf(text, answer.status)
}

/** Answers that are not Retake's, such as a proxy's, are failures too. */
function failureOf(text: string, status: number): Failure {
  const problem = parse(text)
  if (typeof problem['code'] !== 'string')
    return new Failure('server-failed', `The server answered ${status}.`)
  const { code, message, details } = problem as unknown as ErrorView
  const hint = hintOf(problem)
  // A newer server may send codes that this client does not know.
  return new Failure(code as FailureCode, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  })
}

/** Prefers data, so that the surface can word it; an older server sends only text. */
export function hintOf({ hint, remedy }: Pick<ErrorView, 'hint' | 'remedy'>): Remedy | undefined {
  return remedy ?? hint
}

function parse(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? {}
  } catch {
    return {}
  }
}
