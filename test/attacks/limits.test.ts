import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { scene } from '../scene.ts'
import { serving, type Serving } from '../server/serving.ts'
import { closed, opened, raw } from './raw.ts'
import { reportAttack } from './report-attack.ts'
import { memoryOf } from '../house/process-facts.ts'

/** The owner gets answers during every attack. */
async function expectAnswer(server: Serving): Promise<void> {
  expect(await server.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
}

/** 640 is five times the limit for strangers; `npm run test:attacks` opens 10,000. */
const SILENT = process.env['ATTACKS'] === undefined ? 640 : 10_000

test('[S15] silent and slow connections are closed; the owner gets answers meanwhile', async () => {
  await using s = await scene()
  await using server = await serving(s)
  const { port } = server.record
  const slow = await Promise.all(
    [...Array(20).keys()].map(async () => {
      const socket = await opened(port)
      socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`)
      const drip = setInterval(() => socket.write('X-A: b\r\n'), 500)
      socket.once('close', () => clearInterval(drip))
      return socket
    }),
  )
  await expectAnswer(server)
  await Promise.all(slow.map(closed))
  // The oldest are closed at once.
  const silent: Socket[] = []
  while (silent.length < SILENT) {
    silent.push(...(await Promise.all([...Array(160).keys()].map(() => opened(port)))))
    await expectAnswer(server)
  }
  await Promise.all(silent.slice(0, -140).map(closed))
  expect(silent.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(140)
  for (const socket of silent) socket.destroy()
  expect(memoryOf(server.child.pid!)).toBeLessThan(500)
  const attack =
    'silent or slow connections: closed, while the owner still gets answers, below 500 MB'
  const tried = slow.length + silent.length
  reportAttack({ goals: 'S15', attack, tried, held: tried })
})

test('[S15] headers, bodies and frames over the limit are refused before they are read completely', async () => {
  await using s = await scene()
  await using server = await serving(s)
  const { port, token } = server.record
  const head = (more: string) =>
    `POST /api/launch HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${more}\r\n\r\n`
  const json = 'Content-Type: application/json'
  expect((await raw(port, head(`X-Large: ${'x'.repeat(20_000)}`))).status).toBe(431)
  expect((await raw(port, head(`${json}\r\nContent-Length: 104857600`))).status).toBe(413)
  const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
  const chunked = `${json}\r\nTransfer-Encoding: chunked`
  expect((await raw(port, head(chunked) + chunk.repeat(20))).status).toBe(413)
  // Two lengths, or a length and chunks, are the start of request smuggling.
  for (const both of [
    'Content-Length: 2\r\nContent-Length: 3',
    'Content-Length: 2\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
    'Content-Length: +2',
    'Content-Length: 0x2',
  ])
    expect((await raw(port, `${head(`${json}\r\n${both}`)}{}`)).status, both).toBe(400)
  expect((await raw(port, 'GET / HTTP/1.1\nHost: x\n\n')).status).toBe(400)
  expect((await raw(port, '\u0000\u0001garbage\r\n\r\n')).status).toBe(400)
  expect((await raw(port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).status).toBe(400)
  // A small body that would decompress to a large one is not decompressed.
  const zipped = await raw(
    port,
    `${head(`${json}\r\nContent-Encoding: gzip\r\nContent-Length: 2`)}{}`,
  )
  expect(zipped.status).toBe(400)

  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, ['retake', token])
  await once(socket, 'open')
  expect(socket.extensions).toBe('')
  socket.send('x'.repeat(300 * 1024))
  const [code] = (await once(socket, 'close')) as [number]
  expect(code).toBe(1009)
  await expectAnswer(server)
  expect(memoryOf(server.child.pid!)).toBeLessThan(500)
  const attack =
    'headers, bodies, lengths and frames that are too large, duplicated, compressed or not HTTP'
  reportAttack({ goals: 'S15', attack, tried: 13, held: 13 })
})

test('[S2][S15] guessing tokens is slowed down, and the owner is not', async () => {
  await using s = await scene()
  await using server = await serving(s)
  const { port } = server.record
  const guess = (path: string, header = '') =>
    raw(port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${header}\r\n\r\n`)
  // All at once, because sent one by one on a busy machine they would be slow enough anyway. But
  // fewer than 128: from then on, the server closes the oldest unanswered connection.
  const guesses = Array.from({ length: 110 }, async (_, i) => {
    const header = `Authorization: Bearer ${String(i).padStart(43, 'A')}`
    return (await guess('/api/sessions', header)).status
  })
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([401, 429]))
  await expectAnswer(server)
  const launch = (code: string) =>
    fetch(`${server.url}/api/launch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
    })
  const launches = Array.from({ length: 90 }, async (_, i) => (await launch(`guess-${i}`)).status)
  expect(new Set(await Promise.all(launches))).toEqual(new Set([401, 429]))
  reportAttack({ goals: 'S2, S15', attack: 'guesses of tokens and launch codes: refused, then slowed down', tried: 200, held: 200 }) // prettier-ignore
})

test('[S15] the number of windows is limited, and one that does not read is disconnected', async () => {
  await using s = await scene()
  await using server = await serving(s)
  const headers = { Authorization: `Bearer ${server.record.token}` }
  const controller = new AbortController()
  const { signal } = controller
  const streams = await Promise.all(
    [...Array(64).keys()].map(() => fetch(`${server.url}/api/events`, { headers, signal })),
  )
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
  const more = await server.get('/api/events')
  expect(more).toMatchObject({ status: 503, body: { code: 'too-many-clients' } })
  controller.abort()
  const isFree = async () => (await server.client.health({})).clients === 0
  while (!(await isFree()));
  reportAttack({
    goals: 'S15',
    attack: 'more windows of one owner than the limit allows',
    tried: 65,
    held: 65,
  })
})
