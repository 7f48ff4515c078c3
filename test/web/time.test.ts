import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { edit, write } from '../model/index.ts'
import { playedOnce, type Played } from '../operations/played.ts'
import { serving } from '../server/serving.ts'
import { webBrowser } from './opened.ts'

vi.setConfig({ testTimeout: 180_000 })

const web = webBrowser()
const play = playedOnce({
  files: { 'a.txt': 'one\ntwo\nthree\n' },
  turns: {
    Start: [edit('a.txt', 'one', 'ONE'), 'Started.'],
    'Use JWT': [write('jwt.txt', 'jwt\n'), 'JWT it is.'],
    'Add refresh': [write('jwt.txt', 'jwt, refresh\n'), 'Refreshed.'],
  },
})

/** The two turns about JWT are undone, and another line begins after the first turn. */
async function forked(): Promise<Played> {
  const p = await play()
  await p.run('undo', '2')
  await p.say('Use sessions', [
    [write('sessions.txt', 'sessions\n'), edit('a.txt', 'two', 'TWO')],
    'Sessions it is.',
  ])
  return p
}

const dialog = (page: Page) => page.getByRole('dialog')

test('[U9][sem.O3] operations by day: each with its files and the moment before; what cannot be undone says why, the rest is undone by a plan', async () => {
  const p = await forked()
  await p.run('checkpoint', 'works')
  await p.run('undo')
  await using server = await serving(p.s)
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  await page.getByText('Started.').waitFor()
  await page.keyboard.press('o')
  await page.getByRole('heading', { name: 'Operations in' }).waitFor()
  const today = page.getByRole('region', { name: /^(Today|Yesterday)$/ }).first()
  await today.getByRole('button', { name: /Undid 1 turn/ }).waitFor()
  await expect.poll(() => page.locator('[data-operation]').count()).toBe(3)

  // The newest is shown: what it did, and the moment before it.
  const shown = page.getByRole('article', { name: 'Operation 3' })
  await shown.getByText('a.txt').waitFor()
  await shown.getByText('removed: TWO').waitFor()
  await window.expectAccessible('operations')
  await shown.getByText('The moment before, against now').click()
  await shown.getByText('Nothing is changed by looking').waitFor()
  await shown.getByText('added: two').waitFor()

  // An older one has followers, and says so.
  await page.getByRole('button', { name: /Undid 2 turns/ }).click()
  const older = page.getByRole('article', { name: 'Operation 1' })
  await older.getByText('Later operations moved').waitFor()
  expect(
    await older.getByRole('button', { name: 'Undo this…' }).getAttribute('aria-disabled'),
  ).toBe('true')
  // By the keys from one to the next.
  await page.keyboard.press('ArrowUp')
  await page.getByRole('article', { name: 'Operation 2' }).waitFor()
  await page.keyboard.press('ArrowUp')
  await shown.getByRole('button', { name: 'Undo this…' }).click()
  await dialog(page).getByText('Undo operation 3').waitFor()
  await dialog(page).getByRole('list', { name: 'Files' }).waitFor()
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nthree\n')
  await dialog(page).getByRole('button', { name: 'Take back' }).click()
  await page.getByRole('button', { name: /Took operation 3 back/ }).waitFor()
  expect(await p.s.read('a.txt')).toBe('ONE\nTWO\nthree\n')
  await page.getByRole('button', { name: /Undid 1 turn taken back/ }).waitFor()
  await page.getByText('Names', { exact: true }).click()
  await expect.poll(() => page.locator('[data-operation]').count()).toBe(1)
  await page.getByRole('heading', { name: 'Checkpoint “works”' }).waitFor()
})
