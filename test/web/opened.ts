/**
 * The page in a real Chromium, on a real server in a scene.
 *
 * ```ts
 * const web = webBrowser()
 * await using window = await web.open(server, `/s/${id}`)
 * await window.page.getByRole('button', { name: 'Back' }).click()
 * ```
 *
 * A window in which something was refused by the page's policy, or failed in a script, fails the
 * test when it closes.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, onTestFailed } from 'vitest'
import type { Played } from '../operations/played.ts'
import { serving, type Serving } from '../server/serving.ts'
import { launchChromium, type OwnBrowser } from './chromium.ts'

export interface Window extends AsyncDisposable {
  readonly page: Page
  /** What the console and the policy complained about. */
  readonly troubles: string[]
  /** Finds nothing that keeps somebody from using this screen, in the light and in the dark. */
  expectAccessible(screen: string): Promise<void>
}

export interface WindowOptions {
  readonly theme?: 'light' | 'dark'
  readonly size?: { readonly width: number; readonly height: number }
  /** A phone: narrow, and without a pointer that could hover. */
  readonly touch?: boolean
  /** Without a launch code, as somebody who typed the address. */
  readonly stranger?: boolean
}

/** What of a server is needed to open its page. */
export type Opener = Pick<Serving, 'url' | 'client'>

export interface WebBrowser {
  open(server: Opener, path?: string, options?: WindowOptions): Promise<Window>
}

/** A voice that says "go back" again and again into every microphone that a test opens. */
const speech = fileURLToPath(new URL('../fixtures/voice/go-back.wav', import.meta.url))
const flags = [
  // A page of a test is too short to repay threads that compile and collect for it.
  '--js-flags=--single-threaded',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${speech}`,
]

/**
 * One Chromium for each worker, not for each file: a start costs a second of CPU. Workers do not
 * share one, because a browser has one clipboard. It ends when the worker closes the pipe to it.
 */
let started: Promise<OwnBrowser> | undefined

/** The Chromium of this worker, which its files share. */
export function webBrowser(): WebBrowser {
  let browser: Browser
  beforeAll(async () => {
    started ??= launchChromium({ below: inject('browserHomes'), flags })
    browser = (await started).browser
  }, 120_000)
  return {
    open: (server, path = '/', options = {}) => openWindow(browser, server, path, options),
  }
}

export interface Shared extends AsyncDisposable {
  readonly p: Played
  readonly server: Serving
  readonly window: Window
  readonly page: Page
}

/**
 * One server and one window on a session, for tests that put back what they change: starting both
 * costs more than most tests. After a test that failed, the next one gets new ones.
 */
export function sharedWindow(web: WebBrowser, play: () => Promise<Played>): () => Promise<Shared> {
  let shared: Promise<Shared> | undefined
  const close = async (): Promise<void> => {
    const last = shared
    shared = undefined
    await (await last)?.[Symbol.asyncDispose]()
  }
  afterAll(close)
  return async () => {
    onTestFailed(close)
    const isNew = shared === undefined
    const { page } = await (shared ??= openShared(web, play))
    if (!isNew) await page.evaluate(CLOSE_NOTICES)
    return shared
  }
}

async function openShared(web: WebBrowser, play: () => Promise<Played>): Promise<Shared> {
  await using stack = new AsyncDisposableStack()
  const p = await play()
  const server = stack.use(await serving(p.s, { env: p.agent.env }))
  const window = stack.use(await web.open(server, `/s/${p.id}`))
  const opened = stack.move()
  return {
    p,
    server,
    window,
    page: window.page,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A notice of the test before would be taken for one of the next. */
const CLOSE_NOTICES = `for (const button of document.querySelectorAll('[data-notices] [aria-label=Close]'))
  button.click()`

/** Complaints that belong to what a test does: a server that is gone, a code that is used. */
const EXPECTED = /net::ERR_|status of (400|401|404|409)/

async function openWindow(
  browser: Browser,
  server: Opener,
  path: string,
  {
    theme = 'light',
    touch = false,
    size = touch ? { width: 412, height: 860 } : { width: 1280, height: 800 },
    stranger = false,
  }: WindowOptions,
): Promise<Window> {
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: size,
    hasTouch: touch,
    isMobile: touch,
    permissions: ['clipboard-read', 'clipboard-write', 'microphone'],
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('pageerror', ({ message }) => troubles.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) troubles.push(message.text())
  })
  const code = stranger ? '' : new URL((await server.client.makeLaunchCode({})).url).hash
  await page.goto(`${server.url}${path}${code}`)
  return {
    page,
    troubles,
    async expectAccessible(screen) {
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        await page.evaluate(untilPainted(theme))
        expect(await violations(page, theme), `${screen}, ${theme}`).toEqual([])
      }
    },
    async [Symbol.asyncDispose]() {
      await context.close()
      expect(troubles).toEqual([])
    },
  }
}

/** Goes to another address without loading the page anew, as a link in it does. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
}

/** How many pixels of the list of turns are below what is in sight. */
export const BELOW = `(() => {
  const list = document.querySelector('[role=feed]').parentElement
  return list.scrollHeight - list.scrollTop - list.clientHeight
})()`

/** Types over what is in the field that has the focus, as a hand does. */
export async function retype(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** The same in a field that has to be clicked first. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await field.click()
  await retype(page, text)
}

/** The page hears of another theme a moment later, and is painted in it after that. */
function untilPainted(theme: string): string {
  return `new Promise((done) => {
    const look = () =>
      document.documentElement.dataset.theme === '${theme}'
        ? requestAnimationFrame(() => requestAnimationFrame(() => done(null)))
        : setTimeout(look, 10)
    look()
  })`
}

/** Minified: every window reads it anew. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

async function violations(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  // Colours fade in; a picture in between has contrasts that nobody ever sees for long.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => null)',
  )
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axeSource)
  // No rule that is on needs the style sheets preloaded, and that parses each a second time.
  // The themes differ in their colours alone, so the second is looked at for these. By their names:
  // by the category, rules that are switched off would count too.
  const rules = theme === 'light' ? '' : ", runOnly: ['color-contrast', 'link-in-text-block']"
  const found = await page.evaluate<axe.Result[]>(
    // What lies behind a modal window was looked at without it, and cannot be reached meanwhile.
    `axe.run(document.querySelector('dialog:modal') ?? document, { preload: false, resultTypes: ['violations']${rules} }).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  )
}
