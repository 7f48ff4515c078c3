import { randomUUID } from 'node:crypto'
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openMachine } from '#engine'
import type { ServerView } from '#protocol'
import { serve } from '#server'
import { readEnvironment } from '../../src/cli/environment.ts'
import { edit, write } from '../model/index.ts'
import { type Played, played } from '../operations/played.ts'
import { cli, scene, type Scene } from '../scene.ts'
import { serving } from './serving.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const recordOf = (s: Scene) => join(s.env['XDG_RUNTIME_DIR']!, 'retake/server.json')

test('[S1] of four concurrent starts one is the server, and all print its address; a later start finds it and prints a link that works once', async () => {
  await using s = await scene()
  const starts = await Promise.all([1, 2, 3, 4].map(() => startBare(s)))
  expect(new Set(starts.map(({ url }) => new URL(url).port)).size).toBe(1)
  // The ones that found another server end; the server stays.
  const running = starts.filter(({ child }) => child.exitCode === null)
  const servers = (
    await Promise.all(running.map(async (start) => ((await start.isServer()) ? [start] : [])))
  ).flat()
  expect(servers).toHaveLength(1)

  const later = await s.retake('serve', '--json')
  expect(later.code).toBe(0)
  const record = JSON.parse(later.stdout) as ServerView
  expect(record.url).toBe(new URL(starts[0]!.url).origin)
  expect(JSON.parse(await readFile(recordOf(s), 'utf8'))).toEqual(record)
  // `retake` alone, without a terminal: the link, and no browser.
  const bare = await s.retake({ env: { DISPLAY: ':0' } })
  expect(bare.code).toBe(0)
  const code = /#code=([\w-]+)\n$/.exec(bare.stdout)![1]
  const launch = () =>
    fetch(`${record.url}/api/launch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: record.url },
      body: JSON.stringify({ code }),
    })
  const first = await launch()
  expect(await first.json()).toEqual({ schema: 'retake.launch/1', token: record.token })
  expect((await launch()).status).toBe(401)

  servers[0]!.child.kill('SIGTERM')
  expect(await Promise.all(starts.map(({ done }) => done))).toEqual([0, 0, 0, 0])
  await expect(stat(recordOf(s))).rejects.toThrow('ENOENT')
})

test('after a kill the next start takes over, and the old token is invalid', async () => {
  await using s = await scene()
  let old: ServerView
  {
    await using server = await serving(s)
    old = server.record
    await server.end('SIGKILL')
  }
  expect(JSON.parse(await readFile(recordOf(s), 'utf8'))).toEqual(old)
  await using server = await serving(s, { args: ['--port', String(old.port)] })
  expect(server.record.port).toBe(old.port)
  expect(server.record.token).not.toBe(old.token)
  const answer = await fetch(`${server.url}/healthz`, {
    headers: { Authorization: `Bearer ${old.token}` },
  })
  expect(answer.status).toBe(401)
  // A damaged record, or one of another version, is ignored.
  await writeFile(recordOf(s), '{"schema":')
  expect(await server.end()).toBe(0)
  await using after = await serving(s)
  expect((await after.get('/healthz')).status).toBe(200)
})

test('`npm start` prints the link, and Ctrl-C ends it cleanly', async () => {
  await using s = await scene()
  const child = s.processes.start('npm', ['start', '--silent', '--prefix', repository], {
    cwd: repository,
    env: { ...s.env },
  })
  const link = await new Promise<string>((resolve) =>
    child.stdout!.setEncoding('utf8').on('data', (text: string) => resolve(text)),
  )
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{32}\n$/)
  const page = await fetch(link)
  expect(await page.text()).toContain('<title>Retake')
  // A terminal signals all processes in the foreground.
  process.kill(-child.pid!, 'SIGINT')
  await new Promise((resolve) => child.once('close', resolve))
  await expect(stat(recordOf(s))).rejects.toThrow('ENOENT')
  await expect(fetch(link)).rejects.toThrow('fetch failed')
})

test('[S1] an unused server ends by itself, one with a listener does not', async () => {
  await using s = await scene()
  const { places } = readEnvironment({ ...s.env }, {})
  using machine = openMachine(places, { now: () => new Date(), newId: randomUUID })
  const server = (await serve(machine, {
    port: 0,
    version: '0',
    // The listener below must connect before that, also on a busy machine.
    idle: 1500,
    environment: {},
    voiceKey: null,
  }))!
  const headers = { Authorization: `Bearer ${server.record.token}` }
  const controller = new AbortController()
  const { signal } = controller
  const stream = await fetch(`${server.record.url}/api/events`, { headers, signal })
  const isRunning = Promise.race([
    server.ended,
    new Promise((resolve) => setTimeout(resolve, 2500, 'running')),
  ])
  expect(await isRunning).toBe('running')
  controller.abort()
  await stream.body!.cancel().catch(() => {})
  expect(await server.ended).toBe('idle')
  await expect(stat(recordOf(s))).rejects.toThrow('ENOENT')
})

test('[B11] ended during an operation: files and conversation are both old or both new', async () => {
  await using p = await played({
    files: { start: 's\n' },
    turns: {
      hello: 'hi',
      many: [
        [...Array(30).keys()].map((i) => write(`d${i % 5}/f${i}`, `${i}\n`.repeat(50))),
        edit('start', 's', 'S'),
        'done',
      ],
    },
  })
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await using server = await serving(p.s)
    const undo = { isOver: false }
    const answered = server.client
      .undo({ session: p.id })
      .catch(() => null)
      .finally(() => (undo.isOver = true))
    while (!undo.isOver && !(await hasBegun(p))) await sleep(1)
    await server.end(signal)
    await answered
    // The next operation finishes or rolls back what was begun.
    const { code } = await p.s.retake('redo', '--session', p.id)
    expect(code).toBe(0)
    const files = Object.keys(await p.files()).filter((path) => path.startsWith('d'))
    expect(files).toHaveLength(30)
    expect(await p.s.read('start')).toBe('S\n')
    expect((await p.status()).undone).toBe(0)
  }
})

async function startBare(s: Scene) {
  const child = s.processes.start(process.execPath, [cli], {
    cwd: s.project,
    env: { ...s.env },
  })
  const done = new Promise<number | null>((resolve) => child.once('close', resolve))
  const said = Promise.withResolvers<boolean>()
  let talk = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    talk += text
    if (talk.includes('Press Ctrl-C')) said.resolve(true)
    if (talk.includes('already running')) said.resolve(false)
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
    void done.then(() => reject(new Error(talk)))
  })
  return { url, child, done, isServer: () => said.promise }
}

/** Retake's temporary files are in the project while an operation runs. */
async function hasBegun(p: Played): Promise<boolean> {
  const names = await readdir(p.s.project, { recursive: true }).catch(() => [])
  return names.some((name) => name.includes('.retake-'))
}
