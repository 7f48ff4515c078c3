import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { edit } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { serving } from '../server/serving.ts'
import { giveFile } from './give-file.ts'
import { retype, webBrowser } from './opened.ts'

const web = webBrowser()
const play = playedOnce({
  files: { 'a.txt': 'one\n', 'src/app.ts': 'app\n', 'src/my notes.md': 'notes\n' },
  turns: {
    first: [edit('a.txt', 'one', 'two'), 'It is two.'],
    second: [edit('a.txt', 'two', 'three'), 'It is three.'],
  },
})
const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt', exact: true })
const images = (page: Page) =>
  page.getByRole('region', { name: 'Next prompt' }).getByRole('list', { name: 'Images' })

test('[W2][G8] files by @, images, model and permission mode reach the model; nothing of a prompt is lost', async () => {
  const p = await play()
  await mkdir(join(p.s.project, 'node_modules/dep'), { recursive: true })
  await writeFile(join(p.s.project, 'node_modules/dep/app.js'), '')
  await writeFile(join(p.s.project, '.gitignore'), 'node_modules/\n')
  // The agent adds a line about the picture, which the model answers.
  p.model.on(/look at|Image: source/, 'I see it.')
  await using server = await serving(p.s, { env: p.agent.env })
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  await page.getByText('It is three.').waitFor()

  // The list of files, by keyboard.
  await prompt(page).click()
  await page.keyboard.type('look at @ap')
  const list = page.getByRole('listbox', { name: 'Files of the project' })
  await expect.poll(() => list.getByRole('option').allInnerTexts()).toEqual(['src/app.ts'])
  await page.keyboard.press('Enter')
  expect(await prompt(page).inputValue()).toBe('look at @src/app.ts ')
  await page.keyboard.type('and @src')
  await list.getByRole('option').first().waitFor()
  await window.expectAccessible('files for an @')
  await page.keyboard.press('Tab')
  expect(await prompt(page).inputValue()).toBe('look at @src/app.ts and @src/')
  await expect
    .poll(() => list.getByRole('option').allInnerTexts())
    .toEqual(['src/', 'src/app.ts', 'src/my notes.md'])
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const words = 'look at @src/app.ts and @"src/my notes.md" '
  expect(await prompt(page).inputValue()).toBe(words)
  // Escape closes only the list.
  await page.keyboard.type('@a')
  await list.waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')

  // Pictures: pasted and dropped, one removed again, kept over a reload.
  await giveFile(page, 'paste', 'shot.png', 'image/png')
  await images(page).getByAltText('shot.png').waitFor()
  await giveFile(page, 'drop', 'second.png', 'image/png')
  await giveFile(page, 'drop', 'notes.pdf', 'application/pdf')
  await page.getByText('notes.pdf cannot be sent').first().waitFor()
  await images(page).getByRole('button', { name: 'Remove second.png' }).click()
  await page.getByLabel('Model', { exact: true }).selectOption({ label: 'Haiku' })
  await page.getByLabel('Permission mode').selectOption({ label: 'Edit without asking' })
  await window.expectAccessible('a prompt with an image')
  await page.reload()
  await images(page).getByAltText('shot.png').waitFor()
  expect(await images(page).getByRole('listitem').count()).toBe(1)
  expect(await prompt(page).inputValue()).toBe(words)

  // What the model gets.
  await prompt(page).click()
  await page.keyboard.press('Enter')
  await page.getByText('I see it.').waitFor()
  const { body } = p.model.requests.at(-1)!
  const sent = JSON.stringify(body.messages)
  expect(body.model).toContain('haiku')
  for (const part of ['"media_type":"image/png"', 'tapp', 'tnotes']) expect(sent).toContain(part)
  expect(await prompt(page).inputValue()).toBe('')
  const third = page.getByRole('article', { name: /^Turn 3/ })
  await third.getByRole('img', { name: 'Image 1' }).waitFor()
  expect(await third.getByText('[image]').count()).toBe(0)
  await expect.poll(() => page.getByLabel('Permission mode').inputValue()).toBe('acceptEdits')

  // After undo the prompt comes back with its picture.
  await page.getByRole('button', { name: 'Back · chat only' }).click()
  await images(page).getByAltText('Image 1').waitFor()
  expect((await prompt(page).inputValue()).trim()).toBe(words.trim())
  await p.run('redo')
  await expect.poll(() => prompt(page).inputValue()).toBe('')
  await images(page).waitFor({ state: 'detached' })
})

test('[B1][W2] an old prompt is edited in place: Escape leaves everything unchanged, Enter shows a plan, the text goes to the field', async () => {
  const p = await play()
  await using server = await serving(p.s)
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  await page.getByText('It is three.').waitFor()
  const field = page.getByRole('textbox', { name: 'Edit prompt' })
  const before = await p.files()
  const turn = page.getByRole('article', { name: 'Turn 2: second' })
  await turn.focus()
  await page.keyboard.press('e')
  await expect.poll(() => field.inputValue()).toBe('second')
  await window.expectAccessible('a prompt that is edited')
  await retype(page, 'something else')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await turn.getByText('second', { exact: true }).waitFor()
  // By the button, with a cancelled plan: the text stays.
  await turn.hover()
  await turn.getByRole('button', { name: 'Edit this prompt' }).click()
  await retype(page, 'second, but better')
  await page.keyboard.press('Enter')
  const plan = page.getByRole('dialog', { name: 'Undo to before “second”' })
  await plan.waitFor()
  await page.keyboard.press('Escape')
  await plan.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('second, but better')
  expect(await p.files()).toEqual(before)
  await field.click()
  await page.keyboard.press('Enter')
  await plan.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => prompt(page).inputValue()).toBe('second, but better')
  expect(await p.s.read('a.txt')).toBe('two\n')
  // The first prompt: the conversation starts over.
  const first = page.getByRole('article', { name: 'Turn 1: first' })
  await first.focus()
  await page.keyboard.press('e')
  await retype(page, 'first, again')
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog', { name: 'Undo to before “first”' })
    .getByRole('button', { name: 'Undo', exact: true })
    .click()
  await expect.poll(() => prompt(page).inputValue()).toBe('first, again\n\nsecond, but better')
  expect(await p.s.read('a.txt')).toBe('one\n')
  expect(await p.sent()).toEqual([])
})
