import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { edit, write } from '../model/index.ts'
import { expectOnly, footprint } from '../operations/footprint.ts'
import { playedOnce } from '../operations/played.ts'
import { serving } from '../server/serving.ts'
import { everyRoute } from './every-route.ts'
import { raw } from './raw.ts'
import { reportAttack } from './report-attack.ts'

const play = playedOnce({
  files: { 'a.txt': 'one\n' },
  turns: { first: [edit('a.txt', 'one', 'ONE'), 'ok'], second: [write('b.txt', 'SECRET\n'), 'ok'] },
})

test('[S2][S3][S4][S5] every route refuses sixty kinds of invalid requests, reveals nothing and changes nothing', async () => {
  const p = await play()
  await using server = await serving(p.s)
  const { port, token } = server.record
  const host = `Host: 127.0.0.1:${port}`
  const bearer = `Authorization: Bearer ${token}`
  const own = `http://127.0.0.1:${port}`
  // The headers to send instead of the valid ones, and the allowed statuses.
  const noToken = [
    '', 'Authorization: Bearer', 'Authorization: Bearer ', 'Authorization: Bearer x',
    `Authorization: Bearer ${token.slice(0, -1)}`, `Authorization: Bearer ${token}x`,
    `Authorization: Bearer ${'A'.repeat(43)}`, `Authorization: Basic ${token}`,
    `Authorization: ${token}`, `Authorization: bearer ${token}`, `Authorization: Bearer  ${token}`,
    `Authorization: Bearer ${token},${token}`, `Cookie: token=${token}`,
    `Cookie: Authorization=Bearer ${token}`, `X-Authorization: Bearer ${token}`,
    `Proxy-Authorization: Bearer ${token}`, `Sec-WebSocket-Protocol: ${token}`,
  ].map((header) => [host, header]) // prettier-ignore
  const wrongHosts = [
    'evil.example', `evil.example:${port}`, `localhost.evil.com:${port}`, `127.0.0.1.nip.io:${port}`,
    `localhost.:${port}`, `0.0.0.0:${port}`, `127.1:${port}`, `[::]:${port}`, `127.0.0.2:${port}`,
    '127.0.0.1', 'localhost', '127.0.0.1:80', `2130706433:${port}`, `0x7f000001:${port}`,
    `017700000001:${port}`, `user@127.0.0.1:${port}`, `127.0.0.1:${port}@evil.example`,
    `127.0.0.1:${port}.evil.example`, `127.0.0.1:0${port}`, `[::ffff:127.0.0.1]:${port}`,
    `LOCALHOST.evil:${port}`, `127.0.0.1:${port},evil.example`, '', `[::1]`,
  ].map((name) => [`Host: ${name}`, bearer]) // prettier-ignore
  const foreign = [
    'Origin: null', 'Origin: file://', 'Origin: http://evil.example', 'Origin: http://localhost:5173',
    `Origin: https://127.0.0.1:${port}`, `Origin: http://localhost:${port}`, 'Origin: http://127.0.0.1',
    `Origin: http://127.0.0.1:${port}.evil.example`, `Origin: ${own}/`, `Origin: ${own} x`,
    'Origin: chrome-extension://abcdef', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Site: same-site',
    'Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate', 'Sec-Fetch-Site: SAME-ORIGIN',
    `Origin: ${own}\r\nOrigin: http://evil.example`, `Host: evil.example`, host,
    `Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: none`, bearer,
  ].map((header) => [host, bearer, header]) // prettier-ignore

  const before = await footprint(p.s)
  const all = everyRoute(p.id)
  const seen = new Map<string, number>()
  for (const { method, path } of all) {
    const body = method === 'GET' ? '' : '{}'
    const about = `Content-Type: application/json\r\nContent-Length: ${body.length}`
    const ask = async (headers: readonly string[], wanted: readonly number[], target = path) => {
      const lines = [`${method} ${target} HTTP/1.1`, ...headers, about].filter(Boolean)
      const { status, text } = await raw(port, `${lines.join('\r\n')}\r\n\r\n${body}`)
      expect(wanted, `${lines.join(' | ')} → ${status}`).toContain(status)
      expect(text).not.toMatch(/access-control|set-cookie|SECRET|first/i)
      seen.set(String(status), (seen.get(String(status)) ?? 0) + 1)
    }
    await Promise.all([
      ...noToken.map((headers) => ask(headers, [401, 429])),
      ...wrongHosts.map((headers) => ask(headers, [400, 403])),
      ...foreign.map((headers) => ask(headers, [400, 403])),
      ask([host], [401, 429], `${path}?token=${token}&access_token=${token}`),
      ask([host, bearer], [400, 403], `http://127.0.0.1:${port}${path}`),
      ask([host, bearer], [400, 403], `http://evil.example${path}`),
      ask([host, bearer], [400, 403], `/${path}`),
      ask([bearer], [400, 403]),
    ])
    const old = await raw(port, `${method} ${path} HTTP/1.0\r\n${host}\r\n${bearer}\r\n\r\n`)
    expect(old.status).toBe(505)
  }
  expect(noToken.length + wrongHosts.length + foreign.length + 6).toBeGreaterThanOrEqual(60)
  expectOnly(before, await footprint(p.s), { changed: [], appended: 'no' })
  const tried = [...seen.values()].reduce((sum, count) => sum + count, all.length)
  reportAttack({
    goals: 'S2, S3, S4, S5',
    attack: `${all.length} routes, each requested with wrong tokens, hosts, origins, sites, targets and versions`,
    tried,
    held: tried,
  })
  // A request with the token still works.
  expect((await server.get(`/api/sessions/${p.id}`)).status).toBe(200)
})

test('[S5] other methods, preflights and forms of other sites get nothing', async () => {
  const p = await play()
  await using server = await serving(p.s)
  const { port, token } = server.record
  const before = await footprint(p.s)
  const undo = `/api/sessions/${p.id}/undo`
  const send = (method: string, path: string, headers: string[], body = '') =>
    raw(
      port,
      [
        `${method} ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        `Content-Length: ${body.length}`,
        'Connection: close',
        ...headers,
        '',
        body,
      ].join('\r\n'),
    )
  const bearer = `Authorization: Bearer ${token}`
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
    'text/json',
    'application/json, text/plain',
    'application/csp-report',
  ])
    // prettier-ignore
    expect((await send('POST', undo, [bearer, `Content-Type: ${type}`], '{}')).status).toBe(415)
  expect((await send('POST', undo, [bearer], '{}')).status).toBe(415)
  const preflight = await send('OPTIONS', undo, [
    'Origin: http://localhost:5173',
    'Access-Control-Request-Method: POST',
    'Access-Control-Request-Headers: authorization',
  ])
  expect(preflight.status).toBe(403)
  expect(preflight.text).not.toMatch(/access-control/i)
  for (const method of ['PUT', 'HEAD', 'TRACE', 'PROPFIND', 'GET', 'DELETE', 'PATCH'])
    expect((await send(method, undo, [bearer])).status, method).toBe(404)
  const connected = await raw(
    port,
    `CONNECT evil.example:80 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
  )
  expect(connected.status).toBe(0)
  expectOnly(before, await footprint(p.s), { changed: [], appended: 'no' })
})

test('[S2][S5] a WebSocket from another site, or without the token, is not opened', async () => {
  const p = await play()
  await using server = await serving(p.s)
  const { port, token } = server.record
  const tries: [string[], Record<string, string>, string?][] = [
    [[], {}],
    [['retake'], {}],
    [['retake', 'A'.repeat(43)], {}],
    [['retake', token.slice(1)], {}],
    [['retake', token], { Origin: 'http://localhost:5173' }],
    [['retake', token], { Origin: 'null' }],
    [['retake', token], { Origin: 'file://' }],
    [['retake', token], { Origin: `http://localhost:${port}` }],
    [['retake', token], { 'Sec-Fetch-Site': 'cross-site' }],
    [['retake', token], { 'Sec-Fetch-Site': 'same-site' }],
    [['retake', token], { Host: `evil.example:${port}` }],
    [['retake', token], { Host: `localhost.:${port}` }],
    [['retake', token], {}, '/api/events'],
    [['retake'], { Cookie: `token=${token}` }],
    [['retake'], {}, `/ws?token=${token}`],
  ]
  for (const [protocols, headers, path = '/ws'] of tries) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, { headers })
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toMatch(/Unexpected server response: 40[013]/)
  }
  const attack = 'WebSockets of other sites, without the token, or with it in the wrong place'
  reportAttack({ goals: 'S2, S5', attack, tried: tries.length, held: tries.length })
  const origin = `http://127.0.0.1:${port}`
  const good = new WebSocket(`ws://127.0.0.1:${port}/ws`, [token], { origin })
  await once(good, 'open')
  good.terminate()
})
