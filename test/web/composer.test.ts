import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bash, edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { serving } from '../server/serving.ts'
import { sharedWindow, typeInto, webBrowser } from './opened.ts'

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
const dialog = (page: Page) => page.getByRole('dialog')
const running = (page: Page) => page.getByRole('article', { name: 'The turn that is running' })

test('[B7][B13] /undo and /redo are commands to Retake; an undone prompt leaves the field when its turn is active again', async () => {
  const { p, window, page } = await open()
  await page.getByText('It is three.').waitFor()
  await prompt(page).click()
  await page.keyboard.type('/undo')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('1 turn undone').first().waitFor()
  expect(await p.s.read('a.txt')).toBe('two\n')
  await expect.poll(() => prompt(page).inputValue()).toBe('second')
  // After a switch in a terminal it leaves the field: one Enter would send it a second time.
  const [, second] = await p.log()
  await p.run('switch', second!.id)
  await expect.poll(() => prompt(page).inputValue()).toBe('')
  await prompt(page).click()
  await page.keyboard.type('/undo')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => prompt(page).inputValue()).toBe('second')
  await prompt(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('/redo')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Redo', exact: true }).click()
  await page.getByText('Redid 1 turn', { exact: true }).waitFor()
  expect(await prompt(page).inputValue()).toBe('')
  // A malformed command shows its usage, and a refused prompt comes back.
  await prompt(page).click()
  await page.keyboard.type('/undo it')
  await page.keyboard.press('Enter')
  await page.getByText('Type /undo for the last turn').first().waitFor()
  expect(await prompt(page).inputValue()).toBe('/undo it')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('/help me')
  await page.keyboard.press('Enter')
  await page.getByText("/help isn't available").first().waitFor()
  await expect.poll(() => prompt(page).inputValue()).toBe('/help me')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  // Text that the user wrote stays.
  await page.getByRole('button', { name: 'Back · chat only' }).click()
  await expect.poll(() => prompt(page).inputValue()).toBe('second')
  await prompt(page).click()
  await page.keyboard.press('End')
  await page.keyboard.type(', but better')
  await p.run('redo')
  await page.getByRole('region', { name: 'Undone turns' }).waitFor({ state: 'detached' })
  expect(await prompt(page).inputValue()).toBe('second, but better')
  // Escape twice in the empty field lists the prompts to go back to.
  await prompt(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  const list = page.getByRole('dialog', { name: 'Undo to before a prompt' })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await list.waitFor()
  await window.expectAccessible('prompts to go back to')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Undo to before “first”' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
})

test('[G7] an approval shows the lines of an edit or the whole command; one key or a button answers it', async () => {
  const { p, window, page } = await open()
  await writeFile(join(p.s.project, 'b.txt'), 'b\n')
  const command = `echo ${'x'.repeat(200)} > made.txt`
  p.model.on('third', [
    [edit('a.txt', 'three', 'four')],
    [bash(command)],
    [write('a.txt', 'bee\n')],
    [bash('rm b.txt')],
    'Ok.',
  ])
  await prompt(page).click()
  await page.keyboard.type('third')
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog')
  await question.getByText('removed: three').waitFor()
  await question.getByText('added: four').waitFor()
  await window.expectAccessible('approval of an edit')
  await page.waitForTimeout(400)
  await page.keyboard.press('y')
  expect(await question.getByLabel('Command', { exact: true }).innerText()).toBe(command)
  await page.waitForTimeout(400)
  await page.keyboard.press('n')
  // An overwritten file: removed lines are shown too.
  await question.getByText('added: bee').waitFor()
  await question.getByText('removed: four').waitFor()
  await page.waitForTimeout(400)
  await page.keyboard.press('y')
  // A button answers too, and the command runs.
  await question.getByText('rm b.txt').waitFor()
  await question.getByRole('button', { name: /^Allow/ }).click()
  await page.getByText('Ok.').waitFor()
  await running(page).waitFor({ state: 'detached' })
  expect(await p.files()).toMatchObject({ 'a.txt': 'bee\n' })
  expect(await p.files()).not.toHaveProperty('made.txt')
  expect(await p.files()).not.toHaveProperty('b.txt')
  expect(await prompt(page).inputValue()).toBe('')
})

test('[W2] many queued prompts leave the page responsive, and all come back at once', async () => {
  const { p, page } = await open()
  p.model.on('go', [{ blocks: ['Working on it '], hang: 'after' }, 'never'])
  await typeInto(page, prompt(page), 'go')
  await page.keyboard.press('Enter')
  await running(page).getByText('Working on it').waitFor()
  // A browser opens six connections to a server.
  const queued = Array.from({ length: 6 }, (_, i) => `queued ${i}`)
  for (const [i, text] of queued.entries()) {
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    // The server has it.
    await page.getByRole('button', { name: 'Edit', exact: true }).nth(i).waitFor()
  }
  await page.getByRole('button', { name: 'Remove' }).nth(2).click()
  await page.getByText('Queued: “queued 2”').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Back · chat only' }).click()
  const left = queued.toSpliced(2, 1).join('\n\n')
  await expect.poll(() => prompt(page).inputValue()).toBe(left)
  await prompt(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
})

test('[G8] turns whose agent has stopped block nothing while the page reads them, not even after a reload', async () => {
  const { p, server, page } = await open()
  await running(page).waitFor({ state: 'detached' })
  p.model.on('halt', [{ blocks: ['Working on it '], hang: 'after' }, 'never'])
  await typeInto(page, prompt(page), 'halt')
  await page.keyboard.press('Enter')
  await running(page).getByText('Working on it').waitFor()
  await page.keyboard.type('next')
  await page.keyboard.press('Enter')
  // The server has it.
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  const isRead = Promise.withResolvers<void>()
  await page.route('**/api/sessions/*/turns/*', async (route) => {
    await isRead.promise
    await route.continue()
  })
  await page.getByRole('button', { name: /^Stop/ }).click()
  const live = async () => (await server.client.session({ session: p.id })).live
  await expect.poll(live).toBe(null)
  const nameThird = async (): Promise<void> => {
    await page.getByRole('article', { name: /: third$/ }).focus()
    await page.keyboard.press('c')
    await dialog(page).getByText('Name turn').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }
  // The page knows it too, and shows what it has of the turn.
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await expect.poll(() => undo.getAttribute('aria-disabled')).not.toBe('true')
  await running(page).getByText('Working on it').waitFor()
  await page.getByText('Queued: “next”').waitFor({ state: 'detached' })
  await nameThird()
  await page.reload()
  await nameThird()
  isRead.resolve()
  await page
    .getByRole('article', { name: /: halt$/ })
    .getByText('Working on it')
    .waitFor()
  // The queued prompt came back.
  await expect.poll(() => prompt(page).inputValue()).toBe('next')
  await prompt(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.unrouteAll({ behavior: 'wait' })
})

test('[G8] keys work before the page follows events; a prompt sent then reaches the agent', async () => {
  const { p, server, page } = await open()
  p.model.on('early', 'An early answer.')
  // The agent of the turn before has exited.
  const live = async () => (await server.client.session({ session: p.id })).live
  await expect.poll(live).toBe(null)
  const connects = Promise.withResolvers<void>()
  await page.route('**/healthz', (route) => connects.promise.then(() => route.continue()))
  await page.reload()
  // Near the end, where the list opens: others are not kept in the page.
  const turn = page.getByRole('article', { name: /: third$/ })
  await turn.focus()
  await page.keyboard.press('c')
  await dialog(page).getByText('Name turn').waitFor()
  await page.keyboard.press('Escape')
  await prompt(page).click()
  await page.keyboard.type('early')
  await page.keyboard.press('Enter')
  await page.getByText('An early answer.').waitFor()
  expect(await prompt(page).inputValue()).toBe('')
  connects.resolve()
  await running(page).waitFor({ state: 'detached' })
  await page.unroute('**/healthz')
  // The page follows events now.
  await p.run('undo')
  await page.getByText('1 turn undone').first().waitFor()
})

test('[W2][G8] queued prompts come back when the turn is stopped or undone or the server dies; draft and queue survive a reload', async () => {
  const { p, server, page } = await open()
  // Events come by a WebSocket: with a request per tab, six tabs would use up all connections.
  const kept: string[] = []
  page.on('request', (request) => kept.push(...(/api\/events/.exec(request.url()) ?? [])))
  p.model.on('fourth', [{ blocks: ['Working on it '], hang: 'after' }, 'never'])
  await prompt(page).click()
  await page.keyboard.type('half a thou')
  await page.reload()
  await expect.poll(() => prompt(page).inputValue()).toBe('half a thou')
  await prompt(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('fourth')
  await page.keyboard.press('Enter')
  await running(page).getByText('Working on it').waitFor()
  await page.keyboard.type('then this')
  await page.keyboard.press('Enter')
  await page.getByText('Queued: “then this”').waitFor()
  // A queued prompt can be edited and sent again.
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect.poll(() => prompt(page).inputValue()).toBe('then this')
  await page.getByText('Queued: “then this”').waitFor({ state: 'detached' })
  await prompt(page).click()
  await page.keyboard.press('Enter')
  await page.getByText('Queued: “then this”').waitFor()
  await page.keyboard.type('after that')
  await page.keyboard.press('Enter')
  await page.getByText('Queued: “after that”').waitFor()
  // It can be edited once the server has it. A reload before that returns it to the draft.
  await page.getByRole('button', { name: 'Edit', exact: true }).nth(1).waitFor()
  await page.keyboard.type('and that')
  await page.reload()
  await running(page).getByText('Working on it').waitFor()
  await page.getByText('Queued: “after that”').waitFor()
  await prompt(page).click()
  await page.keyboard.press('Escape')
  await running(page).waitFor({ state: 'detached' })
  await expect.poll(() => prompt(page).inputValue()).toBe('then this\n\nafter that\n\nand that')
  // The same by Back, which also undoes the turn itself.
  await page.keyboard.press('Control+a')
  await page.keyboard.type('fourth')
  await page.keyboard.press('Enter')
  await running(page).getByText('Working on it').waitFor()
  // Back is clicked before the server has the queued prompt.
  const arrives = Promise.withResolvers<void>()
  await page.route('**/converse', (route) => arrives.promise.then(() => route.continue()))
  await page.keyboard.type('not lost')
  await page.keyboard.press('Enter')
  await page.getByText('Queued: “not lost”').waitFor()
  await page.getByRole('button', { name: 'Back · chat only' }).click()
  arrives.resolve()
  await running(page).waitFor({ state: 'detached' })
  await expect.poll(() => prompt(page).inputValue()).toBe('not lost')
  await page.getByText('1 turn undone').first().waitFor()
  expect(await prompt(page).inputValue()).toBe('not lost')
  await page.unroute('**/converse')
  // The server dies while a prompt is queued.
  await typeInto(page, prompt(page), 'fourth')
  await page.keyboard.press('Enter')
  await running(page).getByText('Working on it').waitFor()
  await page.keyboard.type('not lost either')
  await page.keyboard.press('Enter')
  await page.getByText('Queued: “not lost either”').waitFor()
  await server.end('SIGKILL')
  p.model.release()
  await using again = await serving(p.s, { args: ['--port', String(server.record.port)] })
  expect(again.url).toBe(server.url)
  await expect.poll(() => prompt(page).inputValue(), { timeout: 60_000 }).toBe('not lost either')
  expect(kept).toEqual([])
})
