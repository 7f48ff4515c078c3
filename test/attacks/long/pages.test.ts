import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { scene, type Scene } from '../../scene.ts'
import { serving } from '../../server/serving.ts'
import { startChromium, type OwnBrowser } from '../../web/chromium.ts'
import { reportAttack } from '../report-attack.ts'
import { writeHostileSession, type HostilePart } from './hostile-session.ts'
import { PAYLOADS } from './payloads.ts'

vi.setConfig({ testTimeout: 3_600_000 })

/** One turn each: a turn outside of the screen is not in the page. */
const PER_SESSION = 30
/** `PAYLOADS=200` tries fewer. */
const MAX_PAYLOADS = Number(process.env['PAYLOADS'] ?? PAYLOADS.length)

let own: OwnBrowser
beforeAll(async () => {
  own = await startChromium()
}, 120_000)
afterAll(() => own[Symbol.asyncDispose]())

/** Everything a page did that no text may cause. */
async function watch(page: Page, origin: string): Promise<string[]> {
  const effects: string[] = []
  page.on('dialog', (dialog) => {
    effects.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', () => effects.push('popup'))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:,')) effects.push(`request ${url}`)
  })
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) effects.push(`frame ${frame.url()}`)
  })
  page.on('pageerror', ({ message }) => effects.push(`error ${message}`))
  await page.addInitScript(`
    addEventListener('securitypolicyviolation', (event) => {
      (window.refusals ??= []).push(event.violatedDirective + ' ' + event.blockedURI)
    })`)
  return effects
}

/** Opens everything that can be opened in the turn, repeatedly. */
const OPEN_ALL = `(async () => {
  const turn = document.querySelector('[data-turn]')
  for (let left = 1; left > 0; ) {
    const closed = [
      ...turn.querySelectorAll('[aria-expanded="false"]:not([aria-haspopup])'),
      ...turn.querySelectorAll('details:not([open]) > summary'),
    ]
    for (const each of closed) each.click()
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    left = closed.length
  }
})()`

test('[S7][S18] three thousand payloads in every field of transcripts: no script runs, nothing is fetched', async () => {
  const payloads = PAYLOADS.slice(0, MAX_PAYLOADS)
  if (MAX_PAYLOADS === PAYLOADS.length) expect(payloads.length).toBeGreaterThanOrEqual(3000)
  await using s = await scene()
  await using server = await serving(s)
  let held = 0
  for (let from = 0; from < payloads.length; from += PER_SESSION) {
    const some = payloads.slice(from, from + PER_SESSION)
    const does = [...some.map((each) => spread(s, each)), { answer: 'This is the end.' }]
    const turns = [{ prompt: `p ${some.join('\n\n')}`, does }]
    const id = await writeHostileSession(s, turns, { title: some[0]!, branch: some[1] ?? 'x' })
    const context = await own.browser.newContext({
      viewport: { width: 1280, height: 1400 },
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const effects = await watch(page, server.url)
    const { hash } = new URL((await server.client.makeLaunchCode({})).url)
    await page.goto(`${server.url}/s/${id}${hash}`)
    await page.getByText('This is the end.').waitFor()
    await page.evaluate(OPEN_ALL)
    expect(await page.evaluate('window.pwned')).toBe(undefined)
    expect(await page.evaluate('window.refusals ?? []'), 'refused by the policy').toEqual([])
    expect(page.url()).toBe(`${server.url}/s/${id}`)
    expect(effects).toEqual([])
    held += some.length
    await context.close()
  }
  reportAttack({ goals: 'S7, S18', attack: 'injection payloads, each as prompt, answer, thinking, tool, command, result, file name and content, every thirtieth as title and git branch, in a real browser', tried: payloads.length, held }) // prettier-ignore
})

/** One payload in every field that a part of a turn has. */
function spread({ project }: Scene, bad: string): HostilePart {
  const name = bad.replaceAll(/[/\u0000]/g, '').slice(0, 80)
  return {
    answer: bad,
    thinking: bad,
    command: { tool: bad.slice(0, 60), text: bad, says: bad },
    file: { path: `${project}/${name}.md`, text: `${bad}\n` },
  }
}
