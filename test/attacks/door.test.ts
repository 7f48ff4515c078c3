/** The access check alone, on a real socket: it decides before anything is routed. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnections } from '../../src/server/access/connections.ts'
import { makeDoor } from '../../src/server/access/door.ts'
import { securityHeaders } from '../../src/server/http/headers.ts'
import { makeKeys } from '../../src/server/access/keys.ts'
import { listen } from '../../src/server/http/listen.ts'
import { openPlans } from '../../src/server/requests/plans.ts'
import { readBody } from '../../src/server/http/read-body.ts'
import { raw } from './raw.ts'

const keys = makeKeys()
let port = 0
const door = makeDoor({ keys, connections: openConnections(), port: () => port })
const server = createServer((request, response) => {
  const refused = door.check(request)
  response.writeHead(refused?.status ?? 200, { Connection: 'close' }).end()
})
server.on('upgrade', (request, socket) => {
  const refused = door.checkUpgrade(request)
  socket.end(`HTTP/1.1 ${refused?.status ?? 101} Told\r\nConnection: close\r\n\r\n`)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as { port: number }).port
})
afterAll(() => server.close())

/** The status of a request with these headers instead of the valid ones. */
async function ask(line: string, ...headers: string[]): Promise<number> {
  const { status } = await raw(port, `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`)
  return status
}

const host = (): string => `Host: 127.0.0.1:${port}`
const token = `Authorization: Bearer ${keys.token}`

test('[S2] without the exact token every request is refused', async () => {
  const get = 'GET /api/sessions'
  expect(await ask(get, host(), token)).toBe(200)
  expect(await ask(get, host())).toBe(401)
  expect(await ask(get, host(), 'Authorization: Bearer x')).toBe(401)
  expect(await ask(`${get}?token=${keys.token}`, host(), `Cookie: token=${keys.token}`)).toBe(401)
})

test('[S4][S5] so are other host names, other sites, and headers that occur twice', async () => {
  const get = 'GET /api/sessions'
  for (const name of [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1:${port}.evil`,
    '127.0.0.1',
  ])
    expect(await ask(get, `Host: ${name}`, token), name).toBe(403)
  for (const header of [
    'Origin: null',
    'Origin: http://localhost:5173',
    'Sec-Fetch-Site: same-site',
  ])
    expect(await ask(get, host(), token, header), header).toBe(403)
  expect(await ask(get, host(), token, `Origin: http://127.0.0.1:${port}`)).toBe(200)
  expect(await ask(get, host(), token, token)).toBe(400)
})

test('[S5] a form cannot change anything', async () => {
  const post = 'POST /api/sessions/x/undo'
  const form = ['Content-Type: text/plain', 'Content-Length: 0']
  expect(await ask(post, host(), token, ...form)).toBe(415)
  expect(
    await ask(post, host(), token, 'Content-Type: application/json', 'Content-Length: 0'),
  ).toBe(200)
})

test('[S2][S5] a WebSocket opens only with the token and from the page', async () => {
  const upgrade = (...headers: string[]): Promise<number> =>
    ask('GET /ws', host(), 'Connection: Upgrade', 'Upgrade: websocket', ...headers)
  const shown = `Sec-WebSocket-Protocol: retake, ${keys.token}`
  expect(await upgrade(shown)).toBe(101)
  expect(await upgrade()).toBe(401)
  expect(await upgrade('Sec-WebSocket-Protocol: retake')).toBe(401)
  expect(await upgrade(shown, 'Origin: http://localhost:5173')).toBe(403)
})

test('[S1] the server listens only on loopback addresses', async () => {
  const { servers } = await listen(
    0,
    () => {},
    () => {},
  )
  const addresses = servers.map((each) => (each.address() as { address: string }).address)
  for (const each of servers) each.close()
  expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining(addresses))
})

test('[S7] the page may only run and load what this server sends', () => {
  const policy = securityHeaders['Content-Security-Policy']!.split('; ')
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ])
    expect(policy).toContain(rule)
  expect(securityHeaders).toMatchObject({
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  })
})

test('[S15] a body without a length is read no further than the limit', async () => {
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      sent += 1
      controller.enqueue(Buffer.alloc(256 * 1024, ' '))
      if (sent === 100) controller.close()
    },
  })
  const request = new Request('http://x', { method: 'POST', body, duplex: 'half' })
  await expect(readBody(request)).rejects.toMatchObject({ code: 'body-too-large' })
  expect(sent).toBeLessThan(10)
})

test('[sem.O1] a plan that is made again gets a new id and no old receipt', () => {
  const plans = openPlans()
  const planned = { report: { id: 'plan' } } as never
  plans.keep(planned)
  plans.get('plan').applied = Promise.resolve({} as never)
  plans.keep(planned)
  expect(plans.get('plan').applied).toBe(null)
})
