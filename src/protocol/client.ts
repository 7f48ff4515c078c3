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

/** One function per route: places in the path, query and body in one object, as each needs. */
export type Client = {
  readonly [Name in RouteName]: (
    input: RouteParams<Name> & RouteQuery<Name> & RouteBody<Name>,
  ) => Promise<RouteAnswer<Name>>
} & {
  /** Follow one turn of the agent to its end; the agent goes on when nobody follows. */
  readonly [Name in StreamName]: (
    input: StreamParams<Name> & StreamBody<Name>,
    options: RunOptions,
  ) => Promise<void>
} & {
  /**
   * Follows what happens until the signal aborts or the connection ends. `after` is the id of the
   * last event that was heard.
   */
  events(this: void, options: EventOptions): Promise<void>
}

export interface EventOptions {
  readonly onEvent: (event: EventView) => void
  readonly after?: string
  /** The server listens to us: from here on nothing is missed. */
  readonly onOpen?: () => void
  readonly signal?: AbortSignal
}

export interface RunOptions {
  readonly onEvent: (event: RunEventView, id: string) => void
  /** The id of the last event that was heard, to hear those after it. */
  readonly after?: string
  readonly signal?: AbortSignal
}

export interface ClientOptions {
  /** Empty in the page that the server itself sent. */
  readonly origin: string
  readonly token: string | null
  readonly fetch?: typeof globalThis.fetch
}

/** Speaks to the server. Runs in a browser and in Node; what fails is a Failure with its code. */
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

/** What is no answer of ours, such as that of a proxy, is a failure all the same. */
function failureOf(text: string, status: number): Failure {
  const problem = parse(text)
  if (typeof problem['code'] !== 'string')
    return new Failure('server-failed', `The server answered ${status}.`)
  const { code, message, details } = problem as unknown as ErrorView
  const hint = hintOf(problem)
  // A newer server may know more codes than this client.
  return new Failure(code as FailureCode, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  })
}

/** As data, so that the surface can word it; an older server sends words alone. */
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
