import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { takeWriter } from '#store'
import { bash, edit, write } from '../model/index.ts'
import { playedOnce, type Played } from '../operations/played.ts'
import { storeOf } from '../operations/store-of.ts'
import { BELOW, sharedWindow, typeInto, webBrowser } from './opened.ts'

const web = webBrowser()
const LINES = 'one\ntwo\nthree\nfour\nfive\n'
const play = playedOnce({
  files: { 'a.txt': LINES, 'mine.txt': 'mine\n' },
  turns: {
    'Change one': [edit('a.txt', 'one', 'ONE'), 'Changed *one*.'],
    'Add b': [[write('b.txt', 'b\n'), bash('true')], 'Added `b.txt`.'],
    'Change three': [edit('a.txt', 'three', 'THREE'), 'Changed three.'],
    'Change five': [edit('a.txt', 'five', 'FIVE'), 'Changed five.'],
  },
})

const turn = (page: Page, prompt: string) =>
  page.getByRole('article', { name: new RegExp(`: ${prompt}$`) })
const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement?.getAttribute('aria-label') ?? ''")
/** Prompts of the turns in the current conversation. */
const active = async (p: Played) =>
  (await p.log()).filter(({ state }) => state === 'active').map(({ prompt }) => prompt)
const dialog = (page: Page) => page.getByRole('dialog')

/** Runs in the page, because a busy machine could pass five seconds between seeing and clicking. */
const CANCEL_WHEN_WAITING = `new MutationObserver((_, observer) => {
  if (!document.body.innerText.includes('Waiting for another process')) return
  observer.disconnect()
  const buttons = [...document.querySelectorAll('dialog button')]
  buttons.find(({ textContent }) => textContent.startsWith('Cancel')).click()
}).observe(document.body, { subtree: true, childList: true, characterData: true })`

/** Visible controls of turns, and those that another element covers. */
const CONTROLS = `(() => {
  const list = document.querySelector('[role=feed]').parentElement.getBoundingClientRect()
  return [...document.querySelectorAll('[data-turn] .reveal button, [data-turn] time')]
    .map((each) => {
      const { left, top, width, height } = each.getBoundingClientRect()
      return { each, x: left + width / 2, y: top + height / 2 }
    })
    .filter(({ y }) => y > list.top && y < list.bottom)
})()`
const nameOf = "each.getAttribute('aria-label') ?? each.textContent"
const PRESSABLE = `${CONTROLS}
  .filter(({ each }) => getComputedStyle(each.closest('.reveal') ?? each).opacity === '1')
  .map(({ each }) => ${nameOf})`
const COVERED = `${CONTROLS}
  .filter(({ each, x, y }) => !each.contains(document.elementFromPoint(x, y)))
  .map(({ each }) => ${nameOf})`

// Each test leaves the session as it was after its last turn, except the last test.
const open = sharedWindow(web, play)

/** Runs a command as in a terminal, and waits until the page shows the result. */
async function redo(p: Played, page: Page): Promise<void> {
  await p.run('redo')
  await page.getByRole('region', { name: 'Undone turns' }).waitFor({ state: 'detached' })
}

/** Picks an entry of a turn's menu, which a right click opens. */
async function choose(page: Page, prompt: string, entry: string): Promise<void> {
  await turn(page, prompt).click({ button: 'right', position: { x: 60, y: 30 } })
  await page.getByRole('menuitem', { name: entry }).click()
}

test('[W1][W4][W5][F5][F6][B7][B9][U6] back to before a prompt: plan, files, notice, undone turns, the prompt again', async () => {
  const { p, window, page } = await open()
  await turn(page, 'Change three').hover()
  await turn(page, 'Change three')
    .getByRole('button', { name: 'Undo to before this prompt' })
    .click()
  const plan = dialog(page)
  await plan.getByText('This changes 1 file; the conversation continues after turn 2.').waitFor()
  await plan.getByText('“Change three”', { exact: false }).first().waitFor()
  await plan.getByText('2 turns · 6 messages · 1 file').waitFor()
  await plan.getByText('changed 2 times').waitFor()
  await plan.getByRole('button', { name: /a\.txt/ }).click()
  await plan.getByRole('region', { name: 'Changes in a.txt' }).getByText('removed: THREE').waitFor()
  await plan.getByText('A snapshot is taken first, so this can be undone.').waitFor()
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nFIVE\n')

  await plan.getByRole('button', { name: 'Undo', exact: true }).click()
  // The notice names the file, and stays while the pointer is on it.
  const link = page.getByRole('link', { name: 'a.txt' })
  await link.hover()
  expect(await link.getAttribute('href')).toBe(`vscode://file${p.s.project}/a.txt`)
  await page.getByText('2 turns undone').first().waitFor()
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nthree\nfour\nfive\n')
  expect(await p.sent()).toEqual(['Change one', 'Add b'])
  // Undone turns can be read, are labelled, and their prompt can be edited.
  await page.getByText('Changed three.').waitFor()
  await turn(page, 'Change three').getByText('undone', { exact: true }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('Change three')
  await page.getByText('The 2 undone turns stay as another try.').waitFor()
  await window.expectAccessible('undone turns')

  // The notice undoes it.
  await page.locator('[data-notices]').getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Undid the operation', { exact: true }).waitFor()
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nFIVE\n')
  expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('')
  // A notice with an undo button stays for a while, or until it is closed.
  await page.locator('[data-notices]').getByRole('button', { name: 'Close' }).last().click()
  await page.getByText('Undid the operation', { exact: true }).waitFor({ state: 'detached' })
})

test('[B2][B7][W3][G9][G11] Back needs no confirmation; redo next and redo all bring turns back; the voice log keeps every line', async () => {
  const { p, server, window, page } = await open()
  const voice = page.getByRole('complementary', { name: 'Voice log' })
  await turn(page, 'Change five').waitFor()
  expect(await voice.count()).toBe(0)
  const say = (by: 'you' | 'voice' | 'retake', text: string) =>
    server.client.appendToVoiceLog({ session: p.id, by, text })
  await say('you', 'Change five, please')
  await say('voice', 'It is changed.')
  await voice.getByText('It is changed.').waitFor()
  await window.expectAccessible('voice log')
  await say('you', 'Go back')
  await page.getByRole('button', { name: 'Back · chat only' }).click()
  await page.getByText('1 turn undone').first().waitFor()
  expect(await active(p)).not.toContain('Change five')
  expect(await voice.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringContaining('Change five, please'),
    expect.stringContaining('It is changed.'),
    expect.stringContaining('Go back'),
  ])
  await page.getByText('file changes kept').waitFor()
  await page.getByText('Files don’t match the chat (turn 4)').waitFor()
  // Moving files and conversation together again shows a plan.
  for (const [way, says] of [
    ['Move files to match the chat…', 'This changes 1 file; the conversation stays.'],
    ['Move chat to match the files…', 'the conversation continues after turn 4.'],
  ] as const) {
    await page.getByRole('button', { name: 'Fix…' }).click()
    await page.getByRole('menuitem', { name: way }).click()
    await dialog(page).getByText(says).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }
  // The log can be hidden without losing a line.
  await voice.getByRole('button', { name: 'Hide the voice log' }).click()
  await voice.getByText('It is changed.').waitFor({ state: 'detached' })
  await voice.getByRole('button', { name: 'Show the voice log' }).click()
  await voice.getByText('It is changed.').waitFor()
  // A touch screen has no pointer to reveal controls: all are visible, and none overlap.
  {
    await using phone = await web.open(server, `/s/${p.id}`, { touch: true })
    await phone.page.getByRole('button', { name: /^Voice log · 3 lines/ }).waitFor()
    await phone.page.locator('[data-turn]').last().scrollIntoViewIfNeeded()
    await expect.poll(() => phone.page.evaluate<string[]>(PRESSABLE)).toContain('Redo to here')
    expect(await phone.page.evaluate<string[]>(COVERED)).toEqual([])
  }
  // The count opens the list of all files that the session changed.
  await page
    .getByRole('button', { name: /^2 files/ })
    .first()
    .click()
  await dialog(page)
    .getByRole('button', { name: /^a\.txt/ })
    .waitFor()
  await window.expectAccessible('files of the session')
  await page.keyboard.press('Escape')
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nFIVE\n')
  // Only the conversation moves again, so nothing is asked.
  await page.getByRole('button', { name: /^Redo next/ }).click()
  await page.getByText('Redid 1 turn', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Undone turns' }).waitFor({ state: 'detached' })

  await choose(page, 'Add b', 'Undo everything after this')
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('2 turns undone').first().waitFor()
  await say('retake', 'Went back to turn 2.')
  await voice.getByText('Went back to turn 2.').waitFor()
  await page.getByRole('button', { name: /^Redo all/ }).click()
  await dialog(page).getByText('This changes 1 file').waitFor()
  await dialog(page).getByRole('button', { name: 'Redo' }).click()
  await page.getByText('Redid 2 turns', { exact: true }).waitFor()
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nFIVE\n')
  const { body } = await server.get(`/api/sessions/${p.id}/voice-log`)
  expect(body).toMatchObject({ lines: [1, 2, 3, 4].map((number) => ({ number })) })
  await voice.getByRole('button', { name: 'Delete the voice log' }).click()
  await voice.getByRole('button', { name: 'Delete for good' }).click()
  await voice.waitFor({ state: 'detached' })
})

test('[sem.V7] only one turn’s changes are reverted, and brought back', async () => {
  const { p, page } = await open()
  await choose(page, 'Change three', 'Revert this turn’s file changes')
  await dialog(page).getByRole('button', { name: 'Revert', exact: true }).click()
  await page.getByText('reverted', { exact: true }).waitFor()
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n')
  await choose(page, 'Change three', 'Bring this turn’s file changes back')
  await dialog(page)
    .getByRole('button', { name: 'Revert', exact: true })
    .waitFor({ state: 'detached' })
  await dialog(page).getByRole('button', { name: 'Bring back' }).click()
  await page.getByText('reverted', { exact: true }).waitFor({ state: 'detached' })
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nFIVE\n')
})

test('[B11][F11] a long operation shows progress, and cancelling leaves everything as it was', async () => {
  const { p, server, page } = await open()
  await choose(page, 'Change five', 'Undo to before this prompt')
  await dialog(page).getByText('This changes 1 file').waitFor()
  // Another process holds the lock; this one waits up to five seconds.
  using store = storeOf(p.s)
  await using held = await takeWriter(store)
  await page.evaluate(CANCEL_WHEN_WAITING)
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Cancelled. Everything is as it was.', { exact: true }).waitFor()
  expect(held.isHeld).toBe(true)
  await dialog(page).waitFor({ state: 'detached' })
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nFIVE\n')
  expect(await server.client.undoState({ session: p.id })).toMatchObject({ undone: 0 })
})

test('[B10][F7][F10][sem.M7] a conflict is shown with its lines; nothing is written before a choice for each', async () => {
  const { p, window, page } = await open()
  await turn(page, 'Change five').waitFor()
  await writeFile(join(p.s.project, 'a.txt'), 'ONE\ntwo\nTHREE\nfour\nMINE\n')
  await choose(page, 'Change five', 'Undo to before this prompt')
  await dialog(page).getByText('You and the agent both changed line 5.').waitFor()
  await window.expectAccessible('conflict')
  const go = dialog(page).getByRole('button', { name: 'Undo', exact: true })
  expect(await go.getAttribute('aria-disabled')).toBe('true')
  await go.press('Enter')
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nMINE\n')
  await dialog(page).getByText('Restore the old version', { exact: false }).click()
  await go.click()
  await page.getByText('1 turn undone').first().waitFor()
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nfive\n')
  // Redo brings back the user's line that the choice gave up.
  await redo(p, page)
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nMINE\n')
  await writeFile(join(p.s.project, 'a.txt'), 'ONE\ntwo\nTHREE\nfour\nFIVE\n')
})

test('[F7][sem.O1] if anything changed after the plan was shown, the page says so and plans again', async () => {
  const { p, window, page } = await open()
  await choose(page, 'Change five', 'Undo to before this prompt')
  await dialog(page).getByText('This changes 1 file').waitFor()
  await writeFile(join(p.s.project, 'a.txt'), 'ONE\nMINE\nTHREE\nfour\nFIVE\n')
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  const alert = dialog(page).getByRole('alert')
  await alert.waitFor()
  await alert.getByText('Details').click()
  await window.expectAccessible('failure')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await dialog(page).getByText('This merges 1 file, keeping your own edits').waitFor()
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('1 turn undone').first().waitFor()
  expect(await p.s.read('a.txt')).toBe('ONE\nMINE\nTHREE\nfour\nfive\n')
  await redo(p, page)
  await writeFile(join(p.s.project, 'a.txt'), 'ONE\ntwo\nTHREE\nfour\nFIVE\n')
})

test('[F8][U7] one window shows what another does; a link leads to its turn', async () => {
  const { p, server, window: first } = await open()
  await using second = await web.open(server, `/s/${p.id}`)
  await turn(second.page, 'Change five').waitFor()
  await first.page.getByRole('button', { name: 'Back · chat only' }).click()
  await second.page.getByText('1 turn undone').waitFor()
  await p.run('redo')
  for (const { page } of [first, second])
    await page.getByRole('region', { name: 'Undone turns' }).waitFor({ state: 'detached' })
  await choose(first.page, 'Add b', 'Copy link to this turn')
  await first.page.getByText('Link copied', { exact: true }).waitFor()
  const link = await first.page.evaluate<string>('navigator.clipboard.readText()')
  await second.page.goto(link)
  await turn(second.page, 'Add b').waitFor()
  await expect.poll(() => focused(second.page)).toContain('Add b')
  // And beside the current turn.
  await choose(second.page, 'Add b', 'Compare with where you are')
  await expect.poll(() => second.page.url()).toContain('/compare?')
  const turns = second.page.getByRole('region', { name: 'Turns' })
  await turns.getByRole('link', { name: /Change five/ }).waitFor()
})

test('[B13][F3] keys only show plans and can be turned off, and the current turn has no undo control', async () => {
  const { page } = await open()
  await turn(page, 'Change five').focus()
  await page.keyboard.press('k')
  await expect.poll(() => focused(page)).toContain('Change three')
  await page.keyboard.press('u')
  await dialog(page).getByText('This changes 1 file').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  // The focus returns to the turn a moment after the dialog closes.
  await expect.poll(() => focused(page)).toContain('Change three')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => focused(page)).toContain('Add b')
  await page.keyboard.press('d')
  await turn(page, 'Add b')
    .getByRole('button', { name: /b\.txt new/ })
    .waitFor()
  // Ctrl-Z does nothing until it is turned on.
  await page.keyboard.press('Control+z')
  expect(await dialog(page).count()).toBe(0)
  await page.keyboard.press('?')
  await dialog(page)
    .getByRole('checkbox', { name: /^Ctrl Z/ })
    .click()
  await dialog(page)
    .getByRole('checkbox', { name: /^Single keys/ })
    .click()
  await page.keyboard.press('Escape')
  await turn(page, 'Change five').focus()
  await page.keyboard.press('u')
  expect(await dialog(page).count()).toBe(0)
  await page.keyboard.press('Control+z')
  await dialog(page).getByText('Undo to before “Change five”').waitFor()
  await page.keyboard.press('Escape')

  await turn(page, 'Change five').click({ button: 'right', position: { x: 60, y: 30 } })
  const keep = page.getByRole('menuitem', { name: 'Undo everything after this' })
  expect(await keep.getAttribute('aria-disabled')).toBe('true')
  await keep.getByText('The session is already here.').waitFor()
  await page.keyboard.press('Escape')
})

test('[F1][F4][F9][W16] files alone, from recorded edits if there is no checkpoint; before the first prompt as at the beginning', async () => {
  const { p, page } = await open()
  await choose(page, 'Change five', 'Undo to before this prompt')
  await dialog(page).getByText('Only files').click()
  await dialog(page).getByText('This changes 1 file; the conversation stays.').waitFor()
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('its changes are not in the files').waitFor()
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nTHREE\nfour\nfive\n')
  await choose(page, 'Change one', 'Undo to before this prompt')
  await dialog(page).getByText('Only files').click()
  await dialog(page).getByText('removes 1 file; the conversation stays.').waitFor()
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Files don’t match the chat (turns 1, 2, 3, 4)').waitFor()
  expect(await p.s.read('a.txt')).toBe(LINES)
  expect(await p.files()).not.toHaveProperty('b.txt')
  expect(await active(p)).toHaveLength(4)
  // A prompt sent while scrolled up is shown.
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.getByRole('feed').hover()
  await page.mouse.wheel(0, -9000)
  await expect.poll(() => page.evaluate<number>(BELOW)).toBeGreaterThan(400)
  await typeInto(page, page.getByRole('textbox', { name: 'Prompt' }), 'And now')
  await page.keyboard.press('Enter')
  await turn(page, 'And now').waitFor()
  await expect.poll(() => page.evaluate<number>(BELOW)).toBeLessThan(60)
})
