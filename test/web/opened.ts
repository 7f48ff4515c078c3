/**
 * The page in a real Chromium, on a real server in a scene.
 *
 * ```ts
 * const web = webBrowser()
 * await using window = await web.open(server, `/s/${id}`)
 * await window.page.getByRole('button', { name: 'Back' }).click()
 * ```
 *
 * Closing a window fails the test if the page's policy blocked something or a script failed in it.
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
  /** Errors from the console and the content security policy. */
  readonly troubles: string[]
  /** Checks this screen for accessibility problems, in both themes. */
  expectAccessible(screen: string): Promise<void>
}

export interface WindowOptions {
  readonly theme?: 'light' | 'dark'
  readonly size?: { readonly width: number; readonly height: number }
  /** A phone: narrow, and without hover. */
  readonly touch?: boolean
  /** Without a launch code, as if the user had typed the address. */
  readonly stranger?: boolean
}

/** The part of a server that opening its page needs. */
export type Opener = Pick<Serving, 'url' | 'client'>

export interface WebBrowser {
  open(server: Opener, path?: string, options?: WindowOptions): Promise<Window>
}

/** A voice that repeats "go back" into every microphone that a test opens. */
const speech = fileURLToPath(new URL('../fixtures/voice/go-back.wav', import.meta.url))
const flags = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${speech}`,
]

/**
 * One Chromium per worker, not per file: a start takes a second of CPU. Workers do not share one,
 * because a browser has only one clipboard. It ends when the worker closes its pipe.
 */
let started: Promise<OwnBrowser> | undefined

/** The worker's Chromium, shared by its test files. */
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
 * One server and one window for tests that restore what they change, because starting both takes
 * longer than most tests. After a failed test, the next one gets new ones.
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

/** A notice of the previous test would be taken for one of the next. */
const CLOSE_NOTICES = `for (const button of document.querySelectorAll('[data-notices] [aria-label=Close]'))
  button.click()`

/** Expected errors: the server is gone, a code is already used, or the browser was signed out. */
const EXPECTED = /net::ERR_|status of (400|401|404|409)|HTTP Authentication failed/

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

/** Navigates without reloading the page, like a link in it. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
}

/** The pixels of the turn list below the visible part. */
export const BELOW = `(() => {
  const list = document.querySelector('[role=feed]').parentElement
  return list.scrollHeight - list.scrollTop - list.clientHeight
})()`

/** Replaces the text of the focused field by typing. */
export async function retype(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** The same in a field that must be clicked first. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await field.click()
  await retype(page, text)
}

/** The page switches themes with a delay, and paints after that. */
function untilPainted(theme: string): string {
  return `new Promise((done) => {
    const look = () =>
      document.documentElement.dataset.theme === '${theme}'
        ? requestAnimationFrame(() => requestAnimationFrame(() => done(null)))
        : setTimeout(look, 10)
    look()
  })`
}

/** Minified, because every window loads it again. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

async function violations(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  // Wait for animations: colours that are fading in have wrong contrasts.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => null)',
  )
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axeSource)
  // No active rule needs preloaded style sheets, and preloading parses each twice. The themes
  // differ only in colours, so the second gets only the colour rules. By name, because a category
  // would include rules that are switched off.
  const rules = theme === 'light' ? '' : ", runOnly: ['color-contrast', 'link-in-text-block']"
  const found = await page.evaluate<axe.Result[]>(
    // Content behind a modal dialog cannot be reached, and was checked without the dialog.
    `axe.run(document.querySelector('dialog:modal') ?? document, { preload: false, resultTypes: ['violations']${rules} }).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  )
}
