import { DatabaseSync } from 'node:sqlite'
import { delimiter, dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codex } from '../agent/codex.ts'
import { helloSession } from '../agent/index.ts'
import { placeShop } from '../codex/recorded-home.ts'
import { addFile, responsesModel } from '../model/index.ts'
import { needs } from '../needs.ts'
import { scene, type Scene } from '../scene.ts'
import { serving } from '../server/serving.ts'
import { typeInto, webBrowser } from './opened.ts'

const web = webBrowser()
const turn = (page: Page, prompt: string) =>
  page.getByRole('article', { name: new RegExp(`: ${prompt}`) })

/** Where Codex would continue a session. */
function rolloutOf(s: Scene, session: string): string {
  const index = new DatabaseSync(join(s.home, '.codex/state_5.sqlite'), { readOnly: true })
  const row = index.prepare('select rollout_path from threads where id = ?').get(session)
  index.close()
  return String(row!['rollout_path'])
}

test('[port][U1] sessions of two agents are marked, and a button per agent shows only its own', async () => {
  await using s = await scene({ name: 'shop' })
  const hello = await helloSession(s)
  const { scenarios } = await placeShop(s)
  await using server = await serving(s)
  await using window = await web.open(server, `/s/${hello}`)
  const { page } = window
  const row = (id: string) => page.locator(`[data-session="${id}"]`)
  const agents = page.getByRole('group', { name: 'Agents' })
  const button = (name: string) => agents.getByRole('button', { name, exact: true })
  await row(hello).getByText('Claude', { exact: true }).waitFor()
  await row(scenarios.cart).getByText('Codex', { exact: true }).waitFor()
  await window.expectAccessible('list with two agents')

  await button('Codex').press('Enter')
  await row(hello).waitFor({ state: 'detached' })
  await row(scenarios.router).waitFor()
  const words = page.getByRole('searchbox', { name: 'Filter sessions' })
  await typeInto(page, words, 'hello')
  await page.getByText('No Codex sessions match “hello”.').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  for (const id of Object.values(scenarios))
    expect(await s.retake('sessions', 'archive', id)).toMatchObject({ code: 0 })
  await page.getByText('All Codex sessions are archived.').waitFor()
  await page.getByRole('button', { name: 'Show 2 archived sessions' }).press('Enter')
  await row(scenarios.cart).waitFor()
  // The last one of this agent goes, and the buttons with it.
  for (const id of Object.values(scenarios))
    expect(await s.retake('sessions', 'delete', id, '--yes')).toMatchObject({ code: 0 })
  await row(hello).waitFor()
  await agents.waitFor({ state: 'detached' })
})

test('[port][G11][B1] a Codex session opens on the page, and the keyboard undoes and redoes its turns', async () => {
  await using s = await scene({ name: 'shop' })
  const { scenarios, files } = await placeShop(s)
  const before = rolloutOf(s, scenarios.cart)
  await using server = await serving(s)
  await using window = await web.open(server)
  const { page } = window
  await page.locator(`[data-session="${scenarios.cart}"]`).getByRole('link').press('Enter')
  await page.getByText('so it is gone').waitFor()
  await page.getByPlaceholder('Message Codex…').waitFor()
  await window.expectAccessible('a Codex session')
  await turn(page, 'Round the total').focus()
  await page.keyboard.press('u')
  const plan = page.getByRole('dialog')
  await plan.getByRole('button', { name: /src\/cart\.ts/ }).waitFor()
  await plan.getByRole('button', { name: /src\/old-cart\.ts/ }).waitFor()
  await window.expectAccessible('plan for a Codex session')
  await page.keyboard.press('Control+Enter')
  await page.getByText('2 turns undone').waitFor()
  const cart = await s.read('src/cart.ts')
  expect(cart).toContain('price * count')
  expect(cart).not.toContain('Math.round')
  expect(await s.read('src/old-cart.ts')).toContain('@deprecated')
  // The conversation moves by another rollout of the same session.
  const after = rolloutOf(s, scenarios.cart)
  expect(after).not.toBe(before)
  expect(after).toContain(scenarios.cart)

  await turn(page, 'Let the cart').focus()
  await page.keyboard.press('Shift+R')
  await plan.getByText('Redoes').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('2 turns undone').waitFor({ state: 'detached' })
  expect(await s.files()).toEqual(files)
  expect(rolloutOf(s, scenarios.cart)).toBe(before)
})

needs('codex')(
  '[port][W14] a prompt from the page asks before Codex writes, and its answer decides',
  async () => {
    await using s = await scene({ git: true, files: { 'a.txt': 'a\n' } })
    await using model = await responsesModel()
    const agent = codex(s, model)
    model.on('start', 'ready')
    model.on('add', [[addFile('b.txt', 'b\n')], [addFile('c.txt', 'c\n')], 'added'])
    const { session } = await agent.prompt('start')
    const PATH = [s.env['PATH'], dirname(agent.binary)].join(delimiter)
    await using server = await serving(s, { env: { ...agent.env, PATH } })
    await using window = await web.open(server, `/s/${session}`)
    const { page } = window
    await page.getByText('ready').waitFor()
    await page.getByLabel('Permission mode').selectOption('plan')
    await typeInto(page, page.getByRole('textbox', { name: 'Prompt' }), 'add')
    await page.keyboard.press('Enter')
    const question = page.getByRole('alertdialog')
    await question.getByText('added: b').waitFor()
    await window.expectAccessible('approval of a patch')
    await question
      .getByRole('button', { name: /^Allow/ })
      .first()
      .press('Enter')
    await question.getByText('added: c').waitFor()
    await question.getByRole('button', { name: 'Deny n', exact: true }).press('Enter')
    await page.getByText('Turn 2 of 2').waitFor()
    expect(await s.files()).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    expect(model.userTexts()).toEqual(['start', 'add'])
  },
)
