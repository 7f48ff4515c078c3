import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeTranscript } from './generate-transcripts.ts'
import { interleave, limit, ratio, tell } from './measure.ts'
import type { Figure, Measured } from './measured.ts'

/**
 * Reads over HTTP compared with a bare route, each in its own process; and 50 windows with 10,000
 * requests, after which memory and open files must be as before.
 */
export async function run(): Promise<Measured> {
  const root = mkdtempSync(join(tmpdir(), 'retake-bench-'))
  const children: ChildProcess[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  try {
    const projects = join(root, '.claude/projects/-home-u-project')
    mkdirSync(projects, { recursive: true })
    const id = randomUUID()
    writeTranscript(join(projects, `${id}.jsonl`), 5e6)
    const bare = await start(children, root, 'bare-server.ts', [])
    const line = await start(children, root, '../bin/retake.js', ['serve', '--json'])
    const { url, token } = JSON.parse(line) as { url: string; token: string }
    const ask = (address: string): Promise<void> => fetchWhole(agent, address, token)
    const at = `${url}/api/sessions/${id}`
    const times = await interleave(100, {
      bare: () => ask(`${bare}/bare`),
      health: () => ask(`${url}/healthz`),
      sessions: () => ask(`${url}/api/sessions`),
      state: () => ask(`${at}/undo-state`),
      tree: () => ask(`${at}/tree`),
      messages: () => ask(`${at}/messages?limit=50`),
      turns: () => ask(`${at}/turns?limit=20`),
    })
    tell('50 windows and 10,000 requests, twice')
    const load = await measureLoad({ url, token, id })
    const { bare: base } = times
    return {
      figures: [
        ratio('health, guarded, against a bare route', times.health, base, { most: 2 }),
        ratio('list of sessions against a bare route', times.sessions, base, { most: 5 }),
        ratio('undo state, 5 MB, against a bare route', times.state, base, { most: 5 }),
        ratio('tree, 5 MB, against a bare route', times.tree, base, { most: 5 }),
        ratio('50 messages, 5 MB, against a bare route', times.messages, base, { most: 40 }),
        ratio('20 turns, 5 MB, against a bare route', times.turns, base, { most: 60 }),
        ...load,
      ],
    }
  } finally {
    agent.destroy()
    await Promise.all(children.map(ended))
    rmSync(root, { recursive: true, force: true })
  }
}

function ended(child: ChildProcess): Promise<void> {
  child.kill()
  if (child.exitCode !== null) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

/** More than Node's servers keep idle connections. */
const IDLE_MS = 6000

interface Load {
  readonly url: string
  readonly token: string
  readonly id: string
}

async function measureLoad({ url, token, id }: Load): Promise<Figure[]> {
  const gauges = async (): Promise<{ memory: number; handles: number; clients: number }> => {
    const headers = { Authorization: `Bearer ${token}` }
    const text = await (await fetch(`${url}/metrics`, { headers })).text()
    const read = (name: string): number =>
      Number(new RegExp(`^retake_${name} (\\d+)`, 'm').exec(text)?.[1])
    return {
      memory: read('resident_bytes'),
      handles: read('handles'),
      clients: read('clients'),
    }
  }
  /** The server notices closed windows with a delay, and closes idle connections after seconds. */
  const settled = async (): ReturnType<typeof gauges> => {
    let found = await gauges()
    for (let tries = 0; tries < 20; tries++) {
      await sleep(IDLE_MS)
      const next = await gauges()
      if (next.clients === 0 && next.handles === found.handles) return next
      found = next
    }
    return found
  }
  const round = async (requests: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 50 })
    const windows = Array.from({ length: 50 }, () => openWindow(url, token))
    const each = requests / 50
    const work = Array.from({ length: 50 }, async () => {
      for (let i = 0; i < each; i++)
        await fetchWhole(agent, `${url}/api/sessions/${id}/undo-state`, token)
    })
    await Promise.all(work)
    for (const close of await Promise.all(windows)) close()
    agent.destroy()
  }
  // The first round fills caches and lets the heap reach its size.
  await round(10_000)
  const before = await settled()
  await round(10_000)
  const after = await settled()
  const more = Math.max(0, after.handles - before.handles)
  const grown = Math.max(0, after.memory - before.memory) / 1e6
  return [
    limit(
      'memory of the server after 50 windows and 20,000 requests',
      after.memory / 1e6,
      'MB',
      null,
    ),
    limit('… more than after the first 10,000', grown, 'MB', 50),
    limit('handles, more than after the first 10,000', more, 'handles', 2),
  ]
}

async function openWindow(url: string, token: string): Promise<() => void> {
  const controller = new AbortController()
  const { signal } = controller
  await fetch(`${url}/api/events`, { headers: { Authorization: `Bearer ${token}` }, signal })
  return () => controller.abort()
}

function fetchWhole(agent: Agent, address: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}` }
    const request = get(address, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${address}: ${answer.statusCode}`))
      answer.resume().once('end', resolve)
    })
    // A kept-alive connection can close at the moment it is used again.
    request.once('error', (error) =>
      request.reusedSocket ? resolve(fetchWhole(agent, address, token)) : reject(error),
    )
  })
}

function start(
  children: ChildProcess[],
  home: string,
  script: string,
  args: readonly string[],
): Promise<string> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: home,
    env: { HOME: home, XDG_RUNTIME_DIR: home, PATH: process.env['PATH'] },
  })
  children.push(child)
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
  })
}
