import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Connections } from './connections.ts'
import { refusal, refuseForeign, refuseForm, type Refusal } from './guard.ts'
import { isPagePath, makeLimit, problemText, securityHeaders } from '../http/index.ts'
import { bearerOf, type Keys } from './keys.ts'

/** The only place that decides which requests and upgrades are let in. */
export interface Door {
  /** Null lets the request in. */
  check(request: IncomingMessage): Refusal | null
  checkUpgrade(request: IncomingMessage): Refusal | null
  refuse(response: ServerResponse, refusal: Refusal): void
}

export interface DoorOptions {
  readonly keys: Keys
  readonly connections: Connections
  readonly port: () => number
}

/** Routes to get a token: with a launch code, or with a signed challenge. */
const ENTRANCES = new Set(['/api/launch', '/api/challenges', '/api/sign-in'])

export function makeDoor({ keys, connections, port }: DoorOptions): Door {
  // A token cannot be guessed; this keeps attempts cheap for us.
  const mayFail = makeLimit(100, 10_000)
  const mayLaunch = makeLimit(60, 10_000)
  const mayChange = makeLimit(100, 1000)

  const stranger = (): Refusal =>
    mayFail()
      ? refusal(401, 'no-token', 'This needs a token: run `retake` and open the link it prints.')
      : refusal(429, 'too-many-requests', 'Too many requests without the token.')

  return {
    check(request) {
      const { method = '', url = '' } = request
      const path = url.split('?', 1)[0]!
      // Any client may read the page and the API docs: they hold no data.
      const isRead = method === 'GET' || method === 'HEAD'
      const isPublic = isRead && (isPagePath(path) || path === '/docs')
      const from = isPublic ? 'anywhere' : 'own-site'
      const wrong = refuseForeign(request, port(), from) ?? refuseForm(request)
      if (wrong !== null || isPublic) return wrong
      if (ENTRANCES.has(path) && method === 'POST')
        return mayLaunch() ? null : refusal(429, 'too-many-requests', 'Too many sign-ins.')
      const holder = keys.holderOf(bearerOf(request.headers.authorization))
      if (holder === null) return stranger()
      connections.welcome(request.socket, holder.browser)
      if (method !== 'GET' && !mayChange())
        return refusal(429, 'too-many-requests', 'Too many changes at once. Try again in a second.')
      return null
    },
    checkUpgrade(request) {
      const wrong = refuseForeign(request, port())
      if (wrong !== null) return wrong
      if (request.url!.split('?', 1)[0] !== '/ws')
        return refusal(400, 'bad-target', 'There is no WebSocket at this address.')
      const offered = offeredProtocols(request)
      const shown = [bearerOf(request.headers.authorization), ...offered]
      const holder = shown.map((text) => keys.holderOf(text)).find((each) => each !== null)
      if (holder === undefined) return stranger()
      connections.welcome(request.socket, holder.browser)
      return null
    },
    refuse(response, { status, code, message }) {
      const body = problemText({ code, message }, status)
      response.writeHead(status, {
        ...securityHeaders,
        'Content-Type': 'application/problem+json',
        'Content-Length': Buffer.byteLength(body),
        // The rest of this connection belongs to a request that is not read.
        Connection: 'close',
        ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
        ...(status === 429 ? { 'Retry-After': '10' } : {}),
      })
      response.end(body)
    },
  }
}

export function offeredProtocols({ headers }: IncomingMessage): string[] {
  const offered = headers['sec-websocket-protocol']
  return offered === undefined ? [] : offered.split(',').map((name) => name.trim())
}
