import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bash, edit, read, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { sharedWindow, webBrowser } from './opened.ts'

const web = webBrowser()
const LONG = `echo ${'a long word '.repeat(12)}> out.txt`
const play = playedOnce({
  files: { 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n' },
  turns: {
    'First thing': [
      [edit('a.txt', 'one', 'ONE'), edit('a.txt', 'nine', 'NINE')],
      [bash(LONG), read('missing.txt')],
      'Done.',
    ],
    'שלום עולם': [write('very/long/path/of/directories/to/the/file/that-matters.ts', '1\n'), 'ok'],
    'Third thing': [edit('a.txt', 'five', 'FIVE'), 'It is FIVE.'],
  },
})
const open = sharedWindow(web, play)
const turn = (page: Page, prompt: string) =>
  page.getByRole('article', { name: new RegExp(`: ${prompt}`) })
const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement?.getAttribute('aria-label') ?? ''")
const dialog = (page: Page) => page.getByRole('dialog')

test('[W17][B13] one Tab skips the sessions; keys lead to the prompt and to found turns, and still work after a click on a choice', async () => {
  const { page } = await open()
  await page.getByText('It is FIVE.').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Prompt')
  const stops = page
    .getByRole('tree')
    .locator('a:not([tabindex="-1"]), button:not([tabindex="-1"])')
  expect(await stops.count()).toBe(1)
  await turn(page, 'Third thing').focus()
  await page.keyboard.press('m')
  await expect.poll(() => focused(page)).toBe('Prompt')

  await page.getByRole('button', { name: /^Turn 3 of 3/ }).click()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toContain('First thing')
  await page.keyboard.press('j')
  await expect.poll(() => focused(page)).toContain('שלום')
  await page.keyboard.press('u')
  await dialog(page).getByText('2 turns').first().waitFor()
  // The reason for W16: the files have changes that the agent does not know of.
  await dialog(page).getByText('Only chat').click()
  await dialog(page).getByText('the agent no longer knows about it').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })

  await page.keyboard.press('o')
  await page.getByText('Moves', { exact: true }).click()
  await page.keyboard.press('g')
  await page.getByRole('heading', { name: 'Graph' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('dark theme')
  await page.getByRole('option', { name: 'Dark theme' }).waitFor()
  await page.getByText('No turns, files or sessions match.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('treeitem', { level: 2 }).getByRole('link').first().click()
})

test('[G11][B1][W17] undo is visible: a line after each turn confirms a small undo in place, the header shows the plan', async () => {
  const { p, page } = await open()
  await page.getByText('It is FIVE.').waitFor()
  const first = turn(page, 'First thing')
  for (const name of ['Undo to here', 'Branch', 'Compare'])
    await first.getByRole('button', { name, exact: true }).waitFor()
  // The last turn needs no such line: Undo is in the header.
  expect(
    await turn(page, 'Third thing').getByRole('button', { name: 'Undo to here' }).count(),
  ).toBe(0)
  const confirm = page.getByRole('group', { name: 'Confirm' })
  await first.getByRole('button', { name: 'Undo to here' }).press('Enter')
  await confirm.getByText('This changes 1 file and removes 1 file').waitFor()
  expect(await dialog(page).count()).toBe(0)
  await page.keyboard.press('Escape')
  await confirm.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toContain('First thing')
  await first.getByRole('button', { name: 'Undo to here' }).press('Enter')
  await confirm
    .getByRole('button', { name: 'Undo', exact: true })
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('2 turns undone').first().waitFor()
  expect(await p.s.read('a.txt')).toContain('five')
  await p.run('redo', '--all')
  await page.getByRole('region', { name: 'Undone turns' }).waitFor({ state: 'detached' })
  await page
    .locator('main header')
    .getByRole('button', { name: 'Undo', exact: true })
    .press('Enter')
  await page.getByRole('dialog', { name: 'Undo 1 turn' }).getByText('This changes 1 file').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
})

test('[W17] a dialog takes typed text at once: rename, name a turn, new branch, hide', async () => {
  const { p, page } = await open()
  await page.getByText('It is FIVE.').waitFor()
  const row = page.getByRole('treeitem', { level: 2 }).getByRole('link').first()
  await row.focus()
  await page.keyboard.press('F2')
  await page.keyboard.type('Login work')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Login work' }).waitFor()
  expect(page.url()).toContain(`/s/${p.id}`)

  await turn(page, 'Third thing').focus()
  await page.keyboard.press('c')
  await page.keyboard.type('works so far')
  await page.keyboard.press('Enter')
  await page.getByText('Turn 3 is now checkpoint “works so far”', { exact: true }).waitFor()
  await turn(page, 'First thing').getByRole('button', { name: 'Branch', exact: true }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('A new try')
  expect(await dialog(page).getByRole('textbox').inputValue()).toBe('A new try')
  await page.keyboard.press('Escape')
  await row.focus()
  await page.keyboard.press('Delete')
  await dialog(page).getByRole('button', { name: 'Hide', exact: true }).waitFor()
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.textContent'))
    .toContain('Hide')
  // A reason is readable in front of the dialog, and the first Escape closes both.
  await page.keyboard.press('Escape')
  await row.focus()
  await page.keyboard.press('F2')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  const rename = dialog(page).getByRole('button', { name: 'Rename', exact: true })
  await rename.hover()
  const tip = dialog(page).locator('[data-radix-popper-content-wrapper]')
  await tip.getByText('Type a title.').first().waitFor()
  const { x, y, width } = (await tip.boundingBox())!
  const top = `document.elementFromPoint(${x + width / 2}, ${y + 8}).closest('[data-radix-popper-content-wrapper]') !== null`
  expect(await page.evaluate(top)).toBe(true)
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
})

test('[F3] each step shows its own change, its whole command, and why it failed; texts and paths are shown as written', async () => {
  const { page } = await open()
  await page.setViewportSize({ width: 700, height: 800 })
  const first = turn(page, 'First thing')
  const edits = first.getByRole('button', { name: /^Edit a\.txt/ })
  await edits.first().click()
  await first.getByText('added: ONE').waitFor()
  expect(await first.getByText('added: NINE').count()).toBe(0)
  await edits.nth(1).click()
  await first.getByText('added: NINE').waitFor()
  await first.getByRole('button', { name: /^Bash/ }).click()
  expect(await first.getByLabel('Command', { exact: true }).innerText()).toBe(LONG)
  await first.getByRole('button', { name: /^Read/ }).click()
  await first.getByLabel('Output').getByText('does not exist').waitFor()

  const second = turn(page, 'שלום')
  await second.getByText('that-matters.ts').first().waitFor()
  const direction = `getComputedStyle([...document.querySelectorAll('[data-turn] [dir=auto]')].find((each) => each.textContent.startsWith('שלום'))).direction`
  expect(await page.evaluate(direction)).toBe('rtl')
  const isCut = `[...document.querySelectorAll('[data-turn] [data-file-name]')].some((each) => {
    const [name, room] = [each, each.closest('[title]')].map((one) => one.getBoundingClientRect())
    return name.left < room.left - 1 || name.right > room.right + 1
  })`
  expect(await page.evaluate(isCut)).toBe(false)
  // Without colours the current turn's dot still differs from the others.
  await page.emulateMedia({ forcedColors: 'active' })
  const colour = 'getComputedStyle(document.querySelector("[data-here]")).backgroundColor'
  const plain = 'getComputedStyle(document.body).backgroundColor'
  expect(await page.evaluate(colour)).not.toBe(await page.evaluate(plain))
})
