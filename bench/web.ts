import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { openClient, type Client, type ServerView } from '#protocol'
import { scene, type Scene } from '../test/scene.ts'
import { startChromium, type OwnBrowser } from '../test/web/chromium.ts'
import { appendTurn, writeLongSession } from '../test/web/long-session.ts'
import { stage } from '../test/web/stage.ts'
import { writeTranscript } from './generate-transcripts.ts'
import { limit, spread, tell } from './measure.ts'
import type { Figure, Measured, Times } from './measured.ts'

const page = fileURLToPath(new URL('../dist/web', import.meta.url))
const cli = fileURLToPath(new URL('../bin/retake.js', import.meta.url))
const LARGE = '11111111-1111-4111-8111-111111111111'

/** What a user of the page waits for, in a real browser with a real server. */
export async function run(): Promise<Measured> {
  await using own = await startChromium()
  await using s = await scene()
  const long = await writeLongSession(s, 12_000)
  const projects = join(s.claudeDir, 'projects/-home-u-project')
  mkdirSync(projects, { recursive: true })
  writeTranscript(join(projects, `${LARGE}.jsonl`), 100e6)
  const cold = await firstTurnCold(own, s, long)
  const server = await serve(s, s.env)
  await firstTurn(own, server, long)
  tell('the page: scrolling, and new turns')
  const frames = await scrollUp(own, server, long)
  const away = await followTheEnd(own, server, s, long)
  tell('the page: first turns and a plan')
  const plans = await planMany(server, long)
  const [turns, bytes] = [await firstTurn(own, server, long), await firstTurn(own, server, LARGE)]
  return {
    figures: [
      ...(await sizes()),
      limit('first turn on the screen, 12,000 turns, with its answer', turns, 'ms', 1000),
      {
        ...limit('… in a server that just started, with an empty cache', cold, 'ms', 1000),
        goal: {
          most: 1000,
          why: 'The server reads all 24,000 rows and builds all turns before it can show the last 16. A third of that is reading, more than a third building, and a quarter is writing both into the cache.',
        },
      },
      {
        ...limit('plan over 11,900 turns', plans, 'ms', 800),
        goal: {
          most: 800,
          why: 'Only the first plan takes longer. It reads every turn from the transcript once, because recorded edits are in the results of tools; later plans take a quarter of it.',
        },
      },
      limit('first turn on the screen, 100 MB', bytes, 'ms', 1000),
      {
        ...limit('points without a turn at 300 px a frame', frames.blanks, 'points', 0),
        goal: { most: 0, why: 'In some runs, one of the 300 frames is empty.' },
      },
      limit('one frame at 300 px a frame', frames.frame, 'ms', 34),
      limit('moved by older turns that come in above', frames.moved, 'px', 2),
      limit('away from the end while turns come in', away, 'px', 2),
      limit('click to plan shown', await clickToPlan(own), 'ms', 500),
    ],
  }
}

interface Served {
  readonly url: string
  readonly client: Client
  stop(): Promise<void>
}

async function serve(at: Scene, env: Readonly<Record<string, string>>): Promise<Served> {
  const child = at.processes.start(process.execPath, [cli, 'serve', '--json'], {
    cwd: at.project,
    env: { ...env },
  })
  const line = await new Promise<string>((resolve) =>
    child.stdout!.setEncoding('utf8').once('data', resolve),
  )
  const { url, token } = JSON.parse(line) as ServerView
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  return { url, client: openClient({ origin: url, token }), stop }
}

async function open(own: OwnBrowser, { url, client }: Served, session: string): Promise<Page> {
  const opened = await own.browser.newPage({ viewport: { width: 1280, height: 800 } })
  // The server may just have closed the kept-alive connection.
  const code = await client.makeLaunchCode({}).catch(() => client.makeLaunchCode({}))
  const { hash } = new URL(code.url)
  await opened.goto(`${url}/s/${session}${hash}`)
  return opened
}

/** Prompts are shown before answers are loaded; only the long session's answers are known. */
async function firstRead(opened: Page, session: string): Promise<void> {
  const turn = opened.locator('article')
  await (session === LARGE ? turn : turn.filter({ hasText: /Answer \d+\./ })).first().waitFor()
}

async function firstTurn(own: OwnBrowser, server: Served, session: string): Promise<Times> {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    // Otherwise the server would still answer requests of the previous page.
    await settled(server)
    const start = performance.now()
    const opened = await open(own, server, session)
    await firstRead(opened, session)
    times.push(performance.now() - start)
    await opened.close()
  }
  return spread(times)
}

/** What a user sees who opens a long session for the first time. */
async function firstTurnCold(own: OwnBrowser, s: Scene, session: string): Promise<Times> {
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    rmSync(join(s.env['XDG_CACHE_HOME']!, 'retake'), { recursive: true, force: true })
    const server = await serve(s, s.env)
    const start = performance.now()
    const opened = await open(own, server, session)
    await firstRead(opened, session)
    times.push(performance.now() - start)
    await opened.close()
    await server.stop()
  }
  return spread(times)
}

/** As the page asks for it. The first round also reads the recorded edits. */
async function planMany({ client }: Served, session: string): Promise<Times> {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now()
    await client.plan({ session, verb: 'undo', count: 11_900 })
    times.push(performance.now() - start)
  }
  return spread(times)
}

async function settled({ client }: Served): Promise<void> {
  for (let [quick, tries] = [false, 0]; !quick && tries < 100; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    const start = performance.now()
    await client.health({}).catch(() => {})
    quick = performance.now() - start < 50
  }
}

async function scrollUp(
  own: OwnBrowser,
  server: Served,
  session: string,
): Promise<{ blanks: number; moved: number; frame: Times }> {
  const opened = await open(own, server, session)
  await opened.getByRole('button', { name: 'Turn 12000 of 12000' }).waitFor()
  // By the mouse wheel: the page keeps its end in view until the user scrolls.
  await opened.getByRole('feed').hover()
  await opened.mouse.wheel(0, -4000)
  await opened.getByRole('button', { name: / newer$/ }).waitFor()
  const { blanks, times } = await opened.evaluate<{ blanks: number; times: number[] }>(SCROLL)
  const moved = await opened.evaluate<number>(STAY)
  await opened.close()
  return { blanks, moved, frame: spread(times) }
}

/** Appends ten turns: how far from its end the page is when each appears. */
async function followTheEnd(
  own: OwnBrowser,
  server: Served,
  s: Scene,
  session: string,
): Promise<number> {
  const opened = await open(own, server, session)
  await opened.getByText('Answer 12000.').waitFor()
  let most = 0
  for (let turn = 12_001; turn <= 12_010; turn += 1) {
    await appendTurn(s, session, turn)
    const answer = opened.getByText(`Answer ${turn}.`)
    // If it never becomes visible it is below, and the distance is measured.
    await answer.waitFor({ timeout: 60_000 }).catch(() => tell(`turn ${turn} is not in sight`))
    most = Math.max(most, await opened.evaluate<number>(AWAY))
  }
  await opened.close()
  return most
}

const SCROLL = `new Promise((done) => {
  const list = document.querySelector('[role=feed]').parentElement
  const { left, top, width, height } = list.getBoundingClientRect()
  const times = []
  let [blanks, last] = [0, performance.now()]
  const step = () => {
    list.scrollTop -= 300
    // After the painting: heights are measured between the frame's callbacks and its paint.
    requestAnimationFrame(() => setTimeout(() => {
      const now = performance.now()
      times.push(now - last)
      last = now
      for (const part of [0.15, 0.5, 0.85]) {
        const found = document.elementFromPoint(left + width / 2, top + height * part)
        if (found?.closest('[data-turn]') == null) blanks += 1
      }
      if (times.length < 300) step()
      else done({ blanks, times })
    }))
  }
  step()
})`

/** After scrolling has stopped, the middle stays in place while turns above it load. */
const STAY = `new Promise((done) => {
  const list = document.querySelector('[role=feed]').parentElement
  const { left, top, width, height } = list.getBoundingClientRect()
  const found = document.elementFromPoint(left + width / 2, top + height / 2)
  const turn = found?.closest('[data-turn]')
  if (turn == null) return done(height)
  const start = turn.getBoundingClientRect().top
  let [most, frames] = [0, 0]
  const look = () => {
    most = Math.max(most, Math.abs(turn.getBoundingClientRect().top - start))
    frames += 1
    if (frames < 60) requestAnimationFrame(() => setTimeout(look))
    else done(most)
  }
  look()
})`

/** Measured after the next paint. */
const AWAY = `new Promise((done) => {
  const list = document.querySelector('[role=feed]').parentElement
  requestAnimationFrame(() => setTimeout(() =>
    done(Math.max(0, list.scrollHeight - list.scrollTop - list.clientHeight))))
})`

async function clickToPlan(own: OwnBrowser): Promise<Times> {
  await using played = await stage()
  const server = await serve(played.s, played.agent.env)
  const opened = await open(own, server, played.id)
  const last = opened.getByRole('article', { name: /Log every failed login/ })
  await last.getByText('Failed logins are logged').waitFor()
  const times: number[] = []
  for (let round = 0; round < 7; round += 1) {
    await last.focus()
    const start = performance.now()
    await opened.keyboard.press('u')
    await opened.getByRole('list', { name: 'Files' }).waitFor()
    times.push(performance.now() - start)
    await opened.keyboard.press('Escape')
    await opened.getByRole('dialog').waitFor({ state: 'detached' })
  }
  return spread(times)
}

/** The bytes loaded before the first view, and those loaded on demand. */
async function sizes(): Promise<Figure[]> {
  const html = readFileSync(join(page, 'index.html'), 'utf8')
  const first = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  const packed = first.reduce(
    (sum, path) => sum + gzipSync(readFileSync(join(page, path))).length,
    0,
  )
  const assets = join(page, 'assets')
  const all = (await readdir(assets)).reduce(
    (sum, name) => sum + readFileSync(join(assets, name)).length,
    0,
  )
  return [
    {
      ...limit('scripts and styles of the first screen, packed', packed / 1e3, 'kB', 300),
      goal: {
        most: 300,
        why: 'Markdown, diffs and highlighting, which the first turn on the screen needs, are 141 kB of it.',
      },
    },
    limit('the whole page with every language, unpacked', all / 1e6, 'MB', 5),
  ]
}
