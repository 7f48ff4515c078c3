import { Failure } from '#failure'
import type { ErrorView } from './error-view.ts'
import {
  routes,
  type RouteAnswer,
  type RouteBody,
  type RouteName,
  type RouteParams,
  type RouteQuery,
} from './routes.ts'
import type { EventView } from './server-view.ts'

/** One function per route: places in the path, query and body in one object, as each needs. */
export type Client = {
  readonly [Name in RouteName]: (
    input: RouteParams<Name> & RouteQuery<Name> & RouteBody<Name>,
  ) => Promise<RouteAnswer<Name>>
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

export interface ClientOptions {
  /** Empty in the page that the server itself sent. */
  readonly origin: string
  readonly token: string | null
  readonly fetch?: typeof globalThis.fetch
}

/** Speaks to the server. Runs in a browser and in Node; what fails is a Failure with its code. */
export function openClient({ origin, token, fetch = globalThis.fetch }: ClientOptions): Client {
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` }

  const call = async (name: RouteName, input: Record<string, unknown>): Promise<unknown> => {
    const [method, path] = routes[name]
    const rest = new Map(Object.entries(input))
    const filled = path.replaceAll(/:(\w+)/g, (_, place: string) => {
      const value = rest.get(place)
      rest.delete(place)
      return encodeURIComponent(String(value))
    })
    const given = [...rest].filter(([, value]) => value !== undefined)
    const query = new URLSearchParams()
    for (const [key, value] of given) query.set(key, String(value))
    const inQuery = method === 'GET' && given.length > 0
    const answer = await fetch(`${origin}${filled}${inQuery ? `?${query.toString()}` : ''}`, {
      method,
      headers: method === 'GET' ? headers : { ...headers, 'Content-Type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(Object.fromEntries(given)) }),
    })
    return read(answer)
  }

  const events = async ({ onEvent, onOpen, after, signal }: EventOptions): Promise<void> => {
    const answer = await fetch(`${origin}/api/events`, {
      headers: { ...headers, ...(after === undefined ? {} : { 'Last-Event-ID': after }) },
      ...(signal === undefined ? {} : { signal }),
    })
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
        if (data !== undefined) onEvent(JSON.parse(data) as EventView)
      }
    }
  }

  const named = Object.keys(routes).map((name) => [
    name,
    (input: Record<string, unknown> = {}) => call(name as RouteName, input),
  ])
  return { ...Object.fromEntries(named), events } as Client
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
  const { code, message, hint, details } = problem as unknown as ErrorView
  return new Failure(code, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  })
}

function parse(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? {}
  } catch {
    return {}
  }
}
