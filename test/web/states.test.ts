import { appendFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { leave, opened } from '../live/opened.ts'
import { bash, edit, write } from '../model/index.ts'
import { playedOnce, type Played } from '../operations/played.ts'
import { sharedWindow, webBrowser } from './opened.ts'

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
/** Prompts of the turns in the current conversation. */
const active = async (p: Played) =>
  (await p.log()).filter(({ state }) => state === 'active').map(({ prompt }) => prompt)
const dialog = (page: Page) => page.getByRole('dialog')

/** Picks an entry of a turn's menu, which a right click opens. */
async function choose(page: Page, prompt: string, entry: string): Promise<void> {
  await page
    .getByRole('article', { name: new RegExp(`: ${prompt}$`) })
    .click({ button: 'right', position: { x: 60, y: 30 } })
  await page.getByRole('menuitem', { name: entry }).click()
}

test('[W16][sem.A5] changes that may not be the turn’s are left alone, unless included', async () => {
  const { p, window, page } = await open()
  await page.getByText('It is three.').waitFor()
  // The files were scanned; a later command's changes are seen, but no hook reports the command.
  expect((await p.s.retake('observe')).code).toBe(0)
  await p.say('third', [[bash('echo made > made.txt')], 'Made.'])
  await page.getByText('Made.', { exact: true }).waitFor()
  await choose(page, 'third', 'Undo to before this prompt')
  const unsure = dialog(page).getByRole('checkbox', { name: /may not be these turns/ })
  await unsure.waitFor()
  await dialog(page).getByText('made.txt').first().waitFor()
  await window.expectAccessible('unsure changes')
  await unsure.click()
  await dialog(page).getByText('This removes 1 file').waitFor()
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('1 turn undone').first().waitFor()
  expect(await p.files()).not.toHaveProperty('made.txt')
})

test('[W14][sem.C3] if a session is open in a terminal, files move at once, the conversation when the agent ends', async () => {
  const { p, window, page } = await open()
  const tui = await opened(p)
  await page.getByRole('img', { name: 'Open in a terminal' }).waitFor()
  await choose(page, 'second', 'Undo to before this prompt')
  await dialog(page).getByText('once the agent’s terminal is closed').waitFor()
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await page
    .getByText('The conversation will move to turn 1 when Claude Code leaves the session')
    .waitFor()
  expect(await p.s.read('a.txt')).toBe('two\n')
  await window.expectAccessible('pending move')
  await leave(p, tui, '/exit')
  await page.getByText('The conversation will move to turn 1').waitFor({ state: 'detached' })
  const second = page.getByRole('article', { name: /: second$/ })
  await second.getByText('undone', { exact: true }).waitFor()
  expect(await active(p)).toEqual(['first'])
})

test('[W15][W20] the page shows where a summary replaced turns, and can go back to them; damage is reported', async () => {
  const { p, window, page } = await open()
  await p.run('redo', '--all')
  const before = (await active(p)).length
  await p.sayAll({ '/compact': 'unused', fourth: [write('b.txt', 'four\n'), 'It is four.'] })
  await appendFile((await p.agent.transcript(p.id)).path, '{"type":"user","uu\n')
  await page
    .getByRole('article', { name: /: fourth$/ })
    .getByText('Compacted: from here on the agent has only a summary of the turns above')
    .waitFor()
  await page.getByText('1 part of the transcript cannot be read.').waitFor()
  await window.expectAccessible('compaction and damage')
  await choose(page, 'first', 'Undo everything after this')
  await dialog(page)
    .getByText(/removes .*; the conversation continues after/)
    .waitFor()
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText(`${before} turns undone`).first().waitFor()
  expect(await p.s.read('a.txt')).toBe('two\n')
  expect(await p.files()).not.toHaveProperty('b.txt')
  expect(await p.sent()).toEqual(['first'])
})
