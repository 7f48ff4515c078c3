import type { FailureCode } from '#failure'
import type { IncomingMessage } from 'node:http'

/** Why a request is refused before it is routed. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 415 | 429 | 505
  readonly code: FailureCode
  readonly message: string
}

/** Headers that must not occur twice: programs on the way could each trust another value. */
const ONCE = new Set([
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-length',
  'transfer-encoding',
  'sec-fetch-site',
])

/** The only names under which a browser reaches this server; `127.1` is not one of them. */
export function ownHosts(port: number): readonly string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]']
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])]
}

/**
 * Checks every request before routing, including WebSocket upgrades. In DNS rebinding, a page of
 * another site sends its own name as Host; a cross-origin request shows in Origin or
 * Sec-Fetch-Site. Node itself checks none of these.
 */
export function refuseForeign(
  request: IncomingMessage,
  port: number,
  from: 'own-site' | 'anywhere' = 'own-site',
): Refusal | null {
  const { httpVersion, url = '', rawHeaders, headers } = request
  if (httpVersion !== '1.1')
    return refusal(505, 'http-version', 'This server supports HTTP/1.1 only.')
  if (!url.startsWith('/') || url.startsWith('//'))
    return refusal(400, 'bad-target', 'The request target must be a path.')
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase())
  const doubled = names.find((name, i) => ONCE.has(name) && names.indexOf(name) !== i)
  if (doubled !== undefined)
    return refusal(400, 'header-twice', `The request has the header ${doubled} twice.`)
  const { host = '', origin } = headers
  if (!ownHosts(port).includes(host))
    return refusal(403, 'foreign-host', 'This server answers to its own address only.')
  if (origin !== undefined && origin !== `http://${host}`)
    return refusal(403, 'foreign-origin', 'Requests from other sites are not allowed.')
  const site = headers['sec-fetch-site']
  // Any site may link to the page, which holds no data and cannot be framed.
  if (from === 'anywhere' && headers['sec-fetch-mode'] === 'navigate') return null
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return refusal(403, 'foreign-site', 'Requests from other sites are not allowed.')
  return null
}

/** Forms of other sites can send text, but not JSON. An empty body needs no content type. */
export function refuseForm({ method = '', headers }: IncomingMessage): Refusal | null {
  if (method === 'GET' || method === 'HEAD') return null
  const type = headers['content-type']?.split(';')[0]!.trim().toLowerCase()
  const length = headers['content-length'] ?? (headers['transfer-encoding'] ? 'unknown' : '0')
  if (type === 'application/json' || (type === undefined && length === '0')) return null
  return refusal(415, 'not-json', 'The body must be `application/json`.')
}

export function refusal(status: Refusal['status'], code: FailureCode, message: string): Refusal {
  return { status, code, message }
}
