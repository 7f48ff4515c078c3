import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { scene } from '../scene.ts'
import { serving } from '../server/serving.ts'
import { follow, sharedWindow, webBrowser } from './opened.ts'

const web = webBrowser()
const play = playedOnce({
  files: { 'src/a.ts': 'export const a = 1\n' },
  turns: {
    'Make a two': [edit('src/a.ts', '1', '2'), 'It is **two** now.'],
    'Add b': [[write('src/b.ts', 'export const b = 1\n'), bash('true')], 'Added `src/b.ts`.'],
    'Make a three': [edit('src/a.ts', '2', '3'), 'It is three now.'],
  },
})

// One window: each test continues from the state that the previous one left; the last ends its
// server.
const open = sharedWindow(web, play)

test('[S8] a link signs one window in, once; without one the page says what to do', async () => {
  const { p, server, window, page } = await open()
  await page.getByText('It is three now.').waitFor()
  expect(page.url()).toBe(`${server.url}/s/${p.id}`)
  await follow(page, '/')
  await page.getByRole('heading', { name: 'Pick up where you were' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Pick up where you were' }).waitFor()
  await window.expectAccessible('home')

  await using stranger = await web.open(server, '/', { stranger: true })
  await stranger.page.getByRole('heading', { name: 'Open Retake from a terminal' }).waitFor()
  await stranger.expectAccessible('without a token')
  await stranger.page.goto(`${server.url}/?again#code=used-already-used-already-used-already`)
  await stranger.page.getByRole('heading', { name: 'This link has expired' }).waitFor()
})

test('[sem.A1][sem.A2] hooks are installed after a preview; from then on the page shows edits by hand between turns', async () => {
  const { p, window, page } = await open()
  await follow(page, `/s/${p.id}`)
  const offer = page.getByRole('region', { name: 'Hooks' })
  await offer.getByText('Undo can’t see file changes made by shell commands yet.').waitFor()
  await offer.getByRole('button', { name: 'Install hooks…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Install hooks in Claude Code' })
  await dialog.getByText('added: "UserPromptSubmit": [').waitFor()
  await window.expectAccessible('what hooks write')
  expect(await p.s.read(`${p.s.claudeDir}/settings.json`).catch(() => '')).not.toContain('Retake')
  await dialog.getByRole('button', { name: 'Install hooks' }).click()
  await offer.waitFor({ state: 'detached' })
  expect(await p.s.read(`${p.s.claudeDir}/settings.json`)).toContain('UserPromptSubmit')
  expect((await p.status()).hooks).toBe('user')

  await p.say('Make a four', [edit('src/a.ts', '3', '4'), 'It is four now.'])
  await writeFile(join(p.s.project, 'src/a.ts'), 'export const a = 44\n')
  await writeFile(join(p.s.project, 'notes.md'), 'mine\n')
  await p.say('Make b two', [edit('src/b.ts', '1', '2'), 'It is two now.'])
  const two = page.getByRole('article', { name: /: Make b two$/ })
  await two.getByText('It is two now.').waitFor()
  const four = page.getByRole('article', { name: /: Make a four$/ })
  await four.getByRole('button', { name: 'You edited 2 files' }).click()
  await four.getByRole('button', { name: 'notes.md new' }).waitFor()
  await four
    .getByRole('list', { name: 'Files you edited' })
    .getByRole('button', { name: 'src/a.ts' })
    .click()
  await four.getByText('added: export const a = 44').waitFor()
  // A new edit shows when the user returns to the page.
  await writeFile(join(p.s.project, 'later.md'), 'mine\n')
  await page.evaluate("dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
  await two.getByRole('button', { name: 'You edited 1 file' }).waitFor()
  await window.expectAccessible('edited files')

  // The settings remove them again, also after a preview.
  await follow(page, '/settings')
  await page.getByRole('button', { name: 'Remove hooks…' }).press('Enter')
  const remove = page.getByRole('dialog', { name: 'Remove the hooks from Claude Code' })
  await remove.getByText('removed: "UserPromptSubmit": [').waitFor()
  expect((await p.status()).hooks).toBe('user')
  await remove.getByRole('button', { name: 'Remove hooks' }).press('Enter')
  await page.getByRole('button', { name: 'Install hooks…' }).waitFor()
  expect((await p.status()).hooks).toBe('none')
  await follow(page, `/s/${p.id}`)
})

test('[W16][F5][G11] the screens of a session are accessible in light and dark; if the server is gone the page says so, hides Back, and reconnects', async () => {
  const { p, server: first, window, page } = await open()
  const { port } = first.record
  const back = page.getByRole('button', { name: 'Back · chat only' })
  await back.waitFor()
  await page.getByRole('status').filter({ hasText: 'Connected' }).waitFor()
  await page.getByText('It is four now.').waitFor()
  await window.expectAccessible('session')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys and preferences' }).waitFor()
  await window.expectAccessible('help')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Turn 5 of 5/ }).click()
  await page.getByPlaceholder('Find a turn or a checkpoint').waitFor()
  await window.expectAccessible('list of turns')
  await page.keyboard.press('Escape')
  await page.getByRole('article', { name: /Make b two/ }).focus()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'Name turn 5' }).waitFor()
  await window.expectAccessible('name a turn')
  await page.keyboard.press('Escape')
  await page.keyboard.press('u')
  await page.getByRole('dialog', { name: 'Undo to before “Make b two”' }).waitFor()
  await page.getByText('This changes 1 file').waitFor()
  await window.expectAccessible('plan')
  await page.keyboard.press('Escape')

  await first.end()
  await page.getByRole('alert').filter({ hasText: 'Lost connection to Retake' }).waitFor()
  await back.waitFor({ state: 'detached' })
  await window.expectAccessible('offline')
  // Another process has another token; the browser signs in again by itself.
  await using second = await serving(p.s, { args: ['--port', String(port)] })
  expect(second.url).toBe(first.url)
  await back.waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('on a machine without sessions the page explains what Retake is', async () => {
  await using s = await scene()
  await using server = await serving(s)
  await using window = await web.open(server)
  await window.page.getByText('Undo, redo and branches for coding-agent sessions').waitFor()
  await window.expectAccessible('first run')
})
