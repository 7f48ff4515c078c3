import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { agent, bash, edit, read, think, tool, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { scene } from '../scene.ts'
import { serving, type Serving } from '../server/serving.ts'
import { appendTurn, writeLongSession } from './long-session.ts'
import { BELOW, follow, retype, sharedWindow, webBrowser } from './opened.ts'

const web = webBrowser()
const EVIL = [
  '<img src="http://example.invalid/leak.png" onerror="document.title = \'owned\'">',
  '<script>document.title = "owned"</script>',
  '![a picture](http://example.invalid/leak.png)',
  '[a link](javascript:document.title="owned") and [another](https://example.invalid/page)',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  // If decoded by innerHTML, or looked up on an object, these would break the whole page.
  'so 5 &lt; 6 &copy;',
  '```constructor\nx\n```',
].join('\n\n')
const play = playedOnce({
  files: { 'src/a.ts': 'export const a = 1\n', 'b.txt': 'b\n' },
  turns: {
    'Look around': [
      [think('First I read.'), read('src/a.ts')],
      [edit('src/a.ts', '1', '2'), bash('exit 3')],
      'Done **well**:\n\n```ts\nexport const a = 2\n```',
    ],
    'Let somebody help': [[agent('Help me')], 'They helped.'],
    '<b>Is this safe?</b>': [[tool('constructor', {})], EVIL],
  },
  also: { 'Help me': [[write('helped.txt', 'yes\n')], 'I helped.'] },
})
const open = sharedWindow(web, play)
const turn = (page: Page, prompt: string) =>
  page.getByRole('article', { name: new RegExp(`: ${prompt}`) })

test('[W10][W11][W17] sessions are filtered, walked and chosen by keyboard; renamed, archived and, after a question, deleted', async () => {
  const { p, server, window, page } = await open()
  // Its turn takes three seconds, so that its last row is the newest and the session comes first.
  await writeLongSession(p.s, 1, Date.now() - 3000)
  await follow(page, '/')
  const tree = page.getByRole('tree', { name: 'Sessions by project' })
  const session = (name: string | RegExp) => tree.getByRole('treeitem', { name, level: 2 })
  const sessions = tree.locator('[data-session]')
  await expect.poll(() => sessions.count()).toBe(2)
  await page.keyboard.press('/')
  await page.keyboard.type('number')
  await expect.poll(() => sessions.count()).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(() => sessions.count()).toBe(2)
  await session(/^Prompt number/)
    .getByRole('link')
    .focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Look around' }).waitFor()

  await session(/^Prompt number/)
    .getByRole('link')
    .focus()
  await page.keyboard.press('F2')
  await retype(page, 'Second thoughts')
  await window.expectAccessible('rename a session')
  await page.keyboard.press('Enter')
  await session(/^Second thoughts/)
    .getByRole('link')
    .focus()
  // Shift and an arrow select both; the action applies to both, and so does its undo.
  await page.keyboard.press('Shift+ArrowDown')
  const bar = page.getByRole('region', { name: 'Selected sessions' })
  await bar.getByText('2 chosen').waitFor()
  await window.expectAccessible('chosen sessions')
  await bar.getByRole('button', { name: 'Archive' }).click()
  const notice = page.getByRole('listitem').filter({ hasText: /Archived “.+”, “/ })
  await notice.hover()
  // The open one stays visible.
  await expect.poll(() => sessions.count()).toBe(1)
  await notice.getByRole('button', { name: 'Undo', exact: true }).click()
  await session(/^Second thoughts/).waitFor()
  expect((await server.client.sessions({})).sessions.map(({ archived }) => archived)).toEqual([
    false,
    false,
  ])

  await session(/^Second thoughts/).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await tree.getByRole('button', { name: 'Show 1 archived session' }).click()
  await session(/^Second thoughts archived/)
    .getByRole('link')
    .focus()
  await page.keyboard.press('Delete')
  const question = page.getByRole('dialog', { name: 'Hide 1 session?' })
  await question.getByText('Claude Code’s transcripts stay').waitFor()
  await window.expectAccessible('delete a session')
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => sessions.count()).toBe(2)
  await session(/^Second thoughts archived/)
    .getByRole('link')
    .focus()
  await page.keyboard.press('Delete')
  await question.getByRole('button', { name: 'Hide', exact: true }).click()
  await expect.poll(() => sessions.count()).toBe(1)
  expect((await server.client.sessions({})).sessions).toHaveLength(1)
  expect(await p.agent.sessions()).toHaveLength(2)
})

test('[F3] a turn shows thinking, steps, changes and answer; only prompts have controls', async () => {
  const { window, page } = await open()
  const first = turn(page, 'Look around')
  await first.getByText('Thought').click()
  await first.getByText('First I read.').waitFor()
  await first.getByRole('button', { name: /^Edit src\/a\.ts/ }).click()
  await first
    .getByRole('region', { name: 'Changes in src/a.ts' })
    .getByText('removed: export const a = 1')
    .waitFor()
  await first.getByText('failed', { exact: true }).waitFor()
  await first.getByRole('button', { name: /^Bash/ }).click()
  await first.getByText('Exit code 3').waitFor()
  await first.getByText('1 untracked command').waitFor()
  await first.locator('pre code span[style*="--shiki"]').getByText('export').waitFor()
  const second = turn(page, 'Let somebody help')
  await second.getByRole('button', { name: /^Agent/ }).click()
  await second.getByText('helped.txt').first().waitFor()
  await window.expectAccessible('open turns')
  // Three prompts, three sets of controls: tool results are not messages of the user.
  expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(3)
})

test('[F3] what is pressed stays under the pointer, even if turns become shorter meanwhile', async () => {
  const { page } = await open()
  await turn(page, 'Look around').getByRole('button', { name: /^Bash/ }).waitFor()
  const moved = await page.evaluate<number>(`new Promise((resolve) => {
    const [, second, last] = document.querySelectorAll('[data-turn]')
    const top = () => second.getBoundingClientRect().top
    const pointer = (name) => second.dispatchEvent(new PointerEvent(name, { bubbles: true }))
    const before = top()
    pointer('pointerdown')
    // Without its last turn the list would end above the pressed one's place.
    last.hidden = true
    let frames = 0
    requestAnimationFrame(function next() {
      frames += 1
      if (frames < 5) return requestAnimationFrame(next)
      const after = top()
      pointer('pointerup')
      last.hidden = false
      resolve(after - before)
    })
  })`)
  expect(Math.abs(moved)).toBeLessThan(1)
})

test('[S12] transcript content is text: nothing of it runs, loads or sends anything', async () => {
  const { server, page } = await open()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const evil = turn(page, '<b>Is this safe')
  await evil.getByText('onerror', { exact: false }).waitFor()
  await evil.getByText('[picture: a picture]').waitFor()
  await evil.getByRole('table').waitFor()
  await evil.getByText('so 5 < 6 ©').waitFor()
  await evil.getByText('constructor', { exact: true }).first().waitFor()
  expect(await evil.locator('img, script, b, iframe').count()).toBe(0)
  const links = evil.getByRole('link')
  expect(await links.count()).toBe(1)
  expect(await links.getAttribute('href')).toBe('https://example.invalid/page')
  expect(await links.getAttribute('rel')).toContain('noreferrer')
  expect(await page.title()).toBe('Retake')
  await page.reload()
  await evil.getByRole('table').waitFor()
  expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([])
})

test('[F11] twelve thousand turns: the end shows at once and while more load, no blank on the way up, and any turn by its link', async () => {
  await using s = await scene()
  const id = await writeLongSession(s, 12_000)
  for (let day = 1; day <= 40; day += 1) await writeLongSession(s, 1, Date.UTC(2026, 1, day))
  await using server = await serving(s)
  await using window = await web.open(server, `/s/${id}`)
  const { page } = window
  await page.getByText('Answer 12000.').waitFor()
  await page.getByRole('button', { name: 'Turn 12000 of 12000' }).waitFor()
  // The open session is visible, below forty newer ones.
  const tree = page.getByRole('tree')
  await expect
    .poll(async () => {
      const own = await tree.locator(`[data-session="${id}"]`).boundingBox()
      const { y, height } = (await tree.boundingBox())!
      return own !== null && own.y >= y && own.y + own.height <= y + height
    })
    .toBe(true)
  expect(
    await page.evaluate<number>("document.querySelector('[role=tree]').scrollTop"),
  ).toBeGreaterThan(0)
  // Older turns load above, and the visible ones stay in place.
  const height = "document.querySelector('[role=feed]').clientHeight"
  await expect.poll(() => page.evaluate<number>(height)).toBeGreaterThan(1_000_000)
  await page.getByText('Answer 12000.').waitFor()
  // At the end of the list, new turns are visible.
  for (const turn of [12_001, 12_002]) {
    await appendTurn(s, id, turn)
    await page.getByRole('button', { name: `Turn ${turn} of ${turn}` }).waitFor()
    await expect.poll(() => page.evaluate<number>(BELOW)).toBeLessThan(3)
  }
  // Like a user: the page keeps the end visible until the list is scrolled.
  await page.getByRole('feed').hover()
  await page.mouse.wheel(0, -4000)
  await page.getByRole('button', { name: / newer$/ }).waitFor()
  // Turn details load when scrolling stops, above and below.
  const read = Promise.withResolvers<void>()
  const details = `${server.url}/api/sessions/*/turns/*`
  await page.route(details, (route) => read.promise.then(() => route.continue()))
  expect(await blanksOnTheWayUp(page)).toEqual([])
  expect(await page.getByRole('article').count()).toBeLessThan(60)
  const waiting = page.locator('[data-turn] .animate-breathe')
  expect(await waiting.count()).toBeGreaterThan(5)
  const middle = await page.evaluate<{ turn: string; top: number }>(MIDDLE)
  read.resolve()
  await expect.poll(() => waiting.count()).toBe(0)
  const { y } = (await page.locator(`[data-turn="${middle.turn}"]`).boundingBox())!
  expect(Math.abs(y - middle.top)).toBeLessThan(3)
  await page.unroute(details)
  await follow(page, `/s/${id}?turn=${await turnId(server, id, 4322)}`)
  await page.getByText('Answer 4322.').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByText('Answer 4323.').waitFor()
})

test('[F11] while older turns load: a link waits for its turn, the number of turns is known, and Home waits for the first', async () => {
  const { p, server, page } = await open()
  // More turns than the page loads at first.
  const id = await writeLongSession(p.s, 60)
  const at = `${server.url}/s/${id}`
  const whole = (url: URL) => url.pathname === `/api/sessions/${id}/turns` && url.search === ''
  const linked = Promise.withResolvers<void>()
  await page.route(whole, (route) => linked.promise.then(() => route.continue()))
  await page.goto(`${at}?turn=${await turnId(server, id, 21)}`)
  await page.getByRole('button', { name: 'Turn 60 of 60' }).waitFor()
  expect(await turn(page, 'Prompt number 21').count()).toBe(0)
  linked.resolve()
  await page.getByText('Answer 21.').waitFor()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate<string>(FOCUSED)).toBe('Turn 22: Prompt number 22')
  await page.unroute(whole)

  const older = Promise.withResolvers<void>()
  await page.route(whole, (route) => older.promise.then(() => route.continue()))
  await page.goto(at)
  await page.getByText('Answer 60.').waitFor()
  await page.getByRole('button', { name: 'Turn 60 of 60' }).waitFor()
  await page.locator('[data-turn]').last().focus()
  await page.keyboard.press('Home')
  older.resolve()
  await expect.poll(() => page.evaluate<string>(FOCUSED)).toBe('Turn 1: Prompt number 1')
  await page.unroute(whole)
})

const FOCUSED = "document.activeElement?.getAttribute('aria-label')"

async function turnId(server: Serving, session: string, number: number): Promise<string> {
  const { turns } = await server.client.turns({ session })
  return turns[number - 1]!.id
}

/**
 * Ranges of the list, in pixels, that no turn covered while it scrolled by 300 px per frame.
 * Checked after each paint: heights are measured between a frame's callbacks and its paint, so a
 * callback would not see the final state. Less than a line of space is no blank.
 */
function blanksOnTheWayUp(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((done) => {
    const list = document.querySelector('[role=feed]').parentElement
    const { top, bottom } = list.getBoundingClientRect()
    const blanks = []
    let frames = 0
    const look = () => {
      const turns = [...list.querySelectorAll('[data-turn]')]
        .map((turn) => turn.getBoundingClientRect())
        .sort((one, other) => one.top - other.top)
      let covered = top
      for (const turn of [...turns, { top: bottom, bottom }]) {
        if (Math.min(turn.top, bottom) - covered > 16) blanks.push(turn.top - covered)
        covered = Math.max(covered, turn.bottom)
      }
      frames += 1
      if (frames < 120) step()
      else done(blanks)
    }
    const step = () => {
      list.scrollTop -= 300
      requestAnimationFrame(() => setTimeout(look))
    }
    step()
  })`)
}

/** The turn in the middle of the list, and its position. */
const MIDDLE = `(() => {
  const { left, top, width, height } = document.querySelector('[role=feed]').parentElement.getBoundingClientRect()
  const turn = document.elementFromPoint(left + width / 2, top + height / 2).closest('[data-turn]')
  return { turn: turn.dataset.turn, top: turn.getBoundingClientRect().top }
})()`
