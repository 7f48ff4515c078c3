import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bash, edit, write } from '../model/index.ts'
import { playedOnce, type Played } from '../operations/played.ts'
import { giveFile } from './give-file.ts'
import { follow, sharedWindow, typeInto, webBrowser } from './opened.ts'

const web = webBrowser()
const play = playedOnce({
  files: { 'a.txt': 'one\n' },
  turns: {
    first: [edit('a.txt', 'one', 'two'), 'It is two.'],
    second: [edit('a.txt', 'two', 'three'), 'It is three.'],
  },
})
// One session in one window: each test continues from the state that the previous one left.
const open = sharedWindow(web, play)
const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' })
/** Prompts of the turns in the current conversation. */
const active = async (p: Played) =>
  (await p.log()).filter(({ state }) => state === 'active').map((turn) => turn.prompt)
const running = (page: Page) => page.getByRole('article', { name: 'The turn that is running' })

test('[W2][W6][B4][G8] a prompt after an undo continues from there and streams; the undone turn is a branch, and no line of the transcript goes', async () => {
  const { p, server, window, page } = await open()
  p.model.on('third', [{ blocks: ['Working on it. '], hang: 'after' }, 'never'])
  const original = await p.transcript()
  await page.getByText('It is three.').waitFor()
  await p.run('undo')
  await page.getByText('Continues after turn 1. The undone turn stays as another try.').waitFor()
  await typeInto(page, prompt(page), 'third')
  await page.keyboard.press('Enter')
  await running(page).getByText('Working on it.').waitFor()
  await window.expectAccessible('running turn')
  // Another window shows the same turn while it streams, even if it loads midway.
  await using other = await web.open(server, `/s/${p.id}`)
  await running(other.page).getByText('Working on it.').waitFor()
  p.model.release()
  await running(page).waitFor({ state: 'detached' })
  await running(other.page).waitFor({ state: 'detached' })
  await page.getByText('Turn 2 of 2').waitFor()
  await page.getByRole('button', { name: 'Try 2/2: show all' }).waitFor()
  expect((await p.log()).map(({ prompt: said, state }) => `${said} ${state}`)).toEqual([
    'first active',
    'second other',
    'third active',
  ])
  // And back once more: the transcript only grows.
  await page.getByRole('button', { name: 'Back · chat only' }).click()
  await page.getByText('1 turn undone').first().waitFor()
  expect(await active(p)).toEqual(['first'])
  const now = await p.transcript()
  expect(Buffer.compare(now.subarray(0, original.length), original)).toBe(0)
  await page.getByRole('button', { name: /^Redo next/ }).click()
  await page.getByText('Redid 1 turn', { exact: true }).waitFor()
})

test('[G6][W14][U6] Back while it streams stops it, undoes the turn and brings the prompt back', async () => {
  const { p, page } = await open()
  const before = await active(p)
  p.model.on('fourth', [{ blocks: ['A long answer '], hang: 'after' }])
  await typeInto(page, prompt(page), 'fourth')
  await page.keyboard.press('Enter')
  await running(page).getByText('A long answer').waitFor()
  // The plain control is disabled and says why; another one stops the turn first.
  await page
    .getByRole('article', { name: /: first$/ })
    .click({ button: 'right', position: { x: 60, y: 30 } })
  const plain = page.getByRole('menuitem', { name: /^Undo to before/ })
  expect(await plain.getAttribute('aria-disabled')).toBe('true')
  await plain.getByText('The agent is working: stop it first.').waitFor()
  await page
    .getByRole('menuitem', { name: 'Stop the agent, then undo to before this prompt' })
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Back · chat only' }).click()
  await running(page).waitFor({ state: 'detached' })
  await page.getByText(new RegExp(`^Continues after turn ${before.length}`)).waitFor()
  await expect.poll(() => prompt(page).inputValue()).toBe('fourth')
  // As the agent sees it: no undone turn, but the one after the undo.
  expect(await p.sent()).toEqual(before)
})

test('[G7] an approval is requested; Back while it waits answers no, and the file is not touched', async () => {
  const { p, window, page } = await open()
  const before = await p.s.read('a.txt')
  p.model.on('delete it', [[bash('rm a.txt')], 'Gone.'])
  await typeInto(page, prompt(page), 'delete it')
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog')
  await question.getByText('rm a.txt').waitFor()
  await window.expectAccessible('approval')
  await page.getByRole('button', { name: 'Back · chat only' }).click()
  await question.waitFor({ state: 'detached' })
  await running(page).waitFor({ state: 'detached' })
  expect(await p.s.read('a.txt')).toBe(before)
})

test('[W14] stop ends the turn; its changes so far stay', async () => {
  const { p, page } = await open()
  const turns = (await active(p)).length + 1
  p.model.on('make one', [[write('made.txt', 'made\n')], { blocks: ['More '], hang: 'after' }])
  await typeInto(page, prompt(page), 'make one')
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Always allow' }).waitFor()
  await page.waitForTimeout(400)
  await page.keyboard.press('a')
  await running(page).getByText('More').waitFor()
  await page.getByRole('button', { name: /^Stop/ }).click()
  await running(page).waitFor({ state: 'detached' })
  await page.getByText(`Turn ${turns} of ${turns}`).waitFor()
  expect(await p.s.read('made.txt')).toBe('made\n')
})

test('[W2] a new session starts from a project, streams from its first words, and the agent can continue it', async () => {
  const { p, window, page } = await open()
  p.model.on('begin', [{ blocks: ['Hello there. '], hang: 'after' }, 'never'])
  await follow(page, '/')
  await page.getByRole('link', { name: 'New session', exact: true }).waitFor()
  await page.getByRole('link', { name: /^New session in / }).click()
  await page.getByRole('heading', { name: 'New session' }).waitFor()
  await window.expectAccessible('new session')
  // Files by @ and images as in a session, kept over a reload.
  await page.keyboard.type('begin with @')
  const files = page.getByRole('listbox').getByRole('option')
  await files.nth(1).waitFor()
  // Enter takes what fits the text, although the list for it has not come yet.
  const listed = Promise.withResolvers<void>()
  await page.route(/[?&]q=ma?(&|$)/, (route) => listed.promise.then(() => route.continue()))
  await page.keyboard.type('ma')
  await page.keyboard.press('Enter')
  listed.resolve()
  expect(await prompt(page).inputValue()).toBe('begin with @made.txt ')
  await giveFile(page, 'paste', 'shot.png', 'image/png')
  await page.getByAltText('shot.png').waitFor()
  await page.reload()
  await page.getByAltText('shot.png').waitFor()
  expect(await prompt(page).inputValue()).toBe('begin with @made.txt ')
  await page.getByRole('button', { name: 'Remove shot.png' }).click()
  await page.getByLabel('Model', { exact: true }).selectOption({ label: 'Haiku' })
  await typeInto(page, prompt(page), 'begin')
  await page.keyboard.press('Enter')
  await running(page).getByText('Hello there.').waitFor()
  expect(p.model.requests.at(-1)!.body.model).toContain('haiku')
  // A reload before the agent has written anything shows the same.
  await page.reload()
  await running(page).getByText('Hello there.').waitFor()
  p.model.release()
  await running(page).waitFor({ state: 'detached' })
  await page.getByText('Turn 1 of 1').waitFor()
  const session = new URL(page.url()).pathname.slice('/s/'.length)
  expect(session).not.toBe(p.id)
  await p.agent.probe(session)
  expect(p.model.userTexts()).toEqual(['begin', 'probe'])
})
