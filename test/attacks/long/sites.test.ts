import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { edit, write } from '../../model/index.ts'
import { expectOnly, footprint } from '../../operations/footprint.ts'
import { played } from '../../operations/played.ts'
import { serving } from '../../server/serving.ts'
import { startChromium, type OwnBrowser } from '../../web/chromium.ts'
import { everyRoute } from '../every-route.ts'
import { reportAttack } from '../report-attack.ts'

vi.setConfig({ testTimeout: 1_800_000 })

let own: OwnBrowser
beforeAll(async () => {
  // The attackers' names resolve to this machine, as after DNS rebinding.
  const rules = ['evil.example', 'rebind.example', 'localhost.evil.example']
  const maps = rules.map((name) => `MAP ${name} 127.0.0.1`).join(', ')
  own = await startChromium([`--host-resolver-rules=${maps}`])
}, 120_000)
afterAll(() => own[Symbol.asyncDispose]())

/** Everything that a page can try at another site's address; anything it gets is a breach. */
const TRY = `async (target, routes, token) => {
  const breaches = []
  let tried = 0
  const soon = (promise) => Promise.race([promise, new Promise((done) => setTimeout(() => done('late'), 3000))])
  const attempt = async (what, run) => {
    tried += 1
    const got = await soon(Promise.resolve().then(run).catch(() => null))
    if (got !== null && got !== undefined && got !== false && got !== 'late') breaches.push(what + ': ' + String(got).slice(0, 80))
  }
  const loads = (name, set) => new Promise((done) => {
    const element = document.createElement(name)
    element.onload = () => done('loaded')
    element.onerror = () => done(null)
    set(element)
    document.body.append(element)
  })
  for (const { method, path } of routes) {
    const url = target + path
    const body = method === 'GET' ? undefined : '{}'
    const as = { method, ...(body === undefined ? {} : { body }) }
    await Promise.all([
      attempt('fetch ' + path, async () => (await fetch(url, as)).text()),
      attempt('fetch with cookies ' + path, async () => (await fetch(url, { ...as, credentials: 'include' })).text()),
      attempt('fetch as JSON ' + path, async () => (await fetch(url, { ...as, headers: { 'Content-Type': 'application/json' } })).text()),
      attempt('fetch with a guess ' + path, async () => (await fetch(url, { ...as, headers: { Authorization: 'Bearer guess' } })).text()),
      attempt('fetch unseen ' + path, async () => {
        const plain = method === 'GET' || method === 'POST' ? as : { method: 'POST', body: '{}' }
        const answer = await fetch(url, { ...plain, mode: 'no-cors' })
        return answer.type === 'opaque' ? null : answer.text()
      }),
      attempt('beacon ' + path, () => { navigator.sendBeacon(url, new Blob(['{}'], { type: 'text/plain' })); return null }),
      attempt('image ' + path, () => loads('img', (e) => { e.src = url })),
      attempt('script ' + path, () => loads('script', (e) => { e.src = url })),
      attempt('style ' + path, () => loads('link', (e) => { e.rel = 'stylesheet'; e.href = url })),
      attempt('frame ' + path, () => new Promise((done) => {
        const frame = document.createElement('iframe')
        frame.onload = () => { try { done(frame.contentDocument?.body.textContent || null) } catch { done(null) } }
        frame.src = url
        document.body.append(frame)
      })),
      attempt('form ' + path, () => {
        const frame = document.createElement('iframe')
        frame.name = 'f' + tried
        const form = document.createElement('form')
        Object.assign(form, { method: 'POST', enctype: 'text/plain', action: url, target: frame.name })
        const input = document.createElement('input')
        Object.assign(input, { name: '{"count":1,"x":"', value: '"}' })
        form.append(input)
        document.body.append(frame, form)
        form.submit()
        return null
      }),
    ])
    document.body.replaceChildren()
  }
  const ws = target.replace('http', 'ws') + '/ws'
  for (const protocols of [[], ['retake'], ['retake', 'guess'], ['retake', token], [token]])
    await attempt('WebSocket ' + protocols.length, () => new Promise((done) => {
      const socket = new WebSocket(ws, protocols)
      socket.onopen = () => done('open')
      socket.onerror = () => done(null)
    }))
  return { tried, breaches }
}`

test('[S3][S4][S5] a page on another local port, on another site, in a sandbox or behind a rebound name gets nothing', async () => {
  await using p = await played({
    files: { 'a.txt': 'one\n' },
    turns: {
      first: [edit('a.txt', 'one', 'ONE'), 'ok'],
      second: [write('b.txt', 'b\n'), 'ok'],
    },
  })
  await using server = await serving(p.s)
  const { port, token } = server.record
  const stranger = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><body></body>')
  }).listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  const theirs = (stranger.address() as AddressInfo).port
  const routes = everyRoute(p.id)
  const before = await footprint(p.s)
  const page = await (await own.browser.newContext()).newPage()
  const run = (target: string) =>
    page.evaluate<{ tried: number; breaches: string[] }>(
      `(${TRY})(${JSON.stringify(target)}, ${JSON.stringify(routes)}, ${JSON.stringify(token)})`,
    )
  for (const [what, from, target] of [
    [
      'a page on another port of localhost (same-site)',
      `http://localhost:${theirs}/`,
      `http://localhost:${port}`,
    ],
    [
      'a page on another port of 127.0.0.1 (same-site)',
      `http://127.0.0.1:${theirs}/`,
      `http://127.0.0.1:${port}`,
    ],
    ['a page of another site', `http://evil.example:${theirs}/`, `http://127.0.0.1:${port}`],
    [
      'a page of another site whose name starts like this machine’s',
      `http://localhost.evil.example:${theirs}/`,
      `http://localhost:${port}`,
    ],
    [
      'a page of another site, at a name rebound to this machine',
      `http://evil.example:${theirs}/`,
      `http://rebind.example:${port}`,
    ],
  ] as const) /* prettier-ignore */ {
    await page.goto(from)
    const { tried, breaches } = await run(target)
    expect(breaches, what).toEqual([])
    reportAttack({ goals: 'S3, S4, S5', attack: `${what}, in a real browser`, tried, held: tried })
  }
  // The attacker's name leads here, so the page would have the origin of the API.
  const answer = await page.goto(`http://rebind.example:${port}/`)
  expect(answer?.status()).toBe(403)
  const statuses = await page.evaluate<number[]>(
    `Promise.all(${JSON.stringify(routes)}.map(({ method, path }) => fetch(path, { method, headers: { Authorization: 'Bearer ${token}' } }).then((answer) => answer.status)))`,
  )
  expect(new Set(statuses)).toEqual(new Set([403]))
  reportAttack({ goals: 'S4', attack: 'DNS rebinding: same origin under an attacker’s name, with the right token, in a real browser', tried: statuses.length + 1, held: statuses.length + 1 }) // prettier-ignore
  // A sandboxed page has the origin `null`.
  await page.goto(`http://localhost:${theirs}/`)
  await page.setContent('<iframe sandbox="allow-scripts" srcdoc="<body></body>"></iframe>')
  const frame = page.frames().find((each) => each !== page.mainFrame())!
  const { tried, breaches } = await frame.evaluate<{ tried: number; breaches: string[] }>(
    `(${TRY})('http://127.0.0.1:${port}', ${JSON.stringify(routes)}, ${JSON.stringify(token)})`,
  )
  expect(breaches).toEqual([])
  reportAttack({ goals: 'S5', attack: 'a sandboxed frame (origin null), in a real browser', tried, held: tried }) // prettier-ignore
  stranger.close()
  expectOnly(before, await footprint(p.s), { changed: [], appended: 'no' })
  expect((await p.status()).undone).toBe(0)
  expect((await server.get(`/api/sessions/${p.id}`)).status).toBe(200)
})
