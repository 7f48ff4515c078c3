import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeOlder } from '../storage/make-older.ts'
import { edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { expectProblem, serving } from '../server/serving.ts'
import { writeLongSession } from './long-session.ts'
import { retype, sharedWindow, typeInto, webBrowser } from './opened.ts'

const web = webBrowser()
const play = playedOnce({
  files: { 'a.txt': 'one\ntwo\nthree\n' },
  turns: {
    Start: [edit('a.txt', 'one', 'ONE'), 'Started.'],
    'Use JWT': [write('jwt.txt', 'jwt\n'), 'JWT it is.'],
    'Add refresh': [write('jwt.txt', 'jwt, refresh\n'), 'Refreshed.'],
  },
  /** The two turns about JWT are undone, and another line begins after the first turn. */
  async after(p) {
    await p.run('undo', '2')
    await p.say('Use sessions', [
      [write('sessions.txt', 'sessions\n'), edit('a.txt', 'two', 'TWO')],
      'Sessions it is.',
    ])
  },
})

// One window for the tests at the end, which restore the session, except the last one.
const open = sharedWindow(web, play)

async function backToSession(page: Page): Promise<void> {
  const sessions = page.getByRole('tree', { name: 'Sessions by project' })
  await sessions.locator('[data-session]').getByRole('link').first().click()
}

const dialog = (page: Page) => page.getByRole('dialog')

test('[U9][sem.O3] operations by day: each with its files and the moment before; one that cannot be undone says why, others are undone by a plan', async () => {
  const p = await play()
  await p.run('checkpoint', 'works')
  await p.run('undo')
  await writeLongSession({ ...p.s, project: join(p.s.root, 'gone') }, 1)
  await using server = await serving(p.s)
  await using window = await web.open(server)
  const { page } = window
  // The first page has what can be redone.
  const lately = page.getByRole('region', { name: 'Recently undone' })
  await lately.getByText('1 turn in Start').waitFor()
  await window.expectAccessible('recently undone')
  await lately.getByRole('button', { name: 'Redo…' }).click()
  await dialog(page).getByText('Redo 1 turn').waitFor()
  await page.keyboard.press('Escape')
  // A session without its project has no operations, and the menu says why.
  const alone = page.getByRole('treeitem', { name: /Prompt number 1/ })
  await alone.click({ button: 'right' })
  await page
    .getByRole('menuitem', { name: /^Rename….*directory does not exist/ })
    .and(page.locator('[aria-disabled="true"]'))
    .waitFor()
  await page.keyboard.press('Escape')
  await lately.getByRole('link', { name: 'See' }).click()
  await page.getByText('Started.').waitFor()
  await page.keyboard.press('o')
  await page.getByRole('heading', { name: 'Operations in' }).waitFor()
  const today = page.getByRole('region', { name: /^(Today|Yesterday)$/ }).first()
  await today.getByRole('button', { name: /Undid 1 turn/ }).waitFor()
  await expect.poll(() => page.locator('[data-row]').count()).toBe(3)

  // The newest is shown: what it did, and the moment before it.
  const shown = page.getByRole('article', { name: 'Operation 3' })
  await shown.getByText('a.txt').waitFor()
  await shown.getByText('removed: TWO').waitFor()
  await window.expectAccessible('operations')
  await shown.getByText('Before it, against now').click()
  await shown.getByText('Viewing changes nothing').waitFor()
  await shown.getByText('added: two').waitFor()

  // An older one has later operations that depend on it, and says so.
  await page.getByRole('button', { name: /Undid 2 turns/ }).click()
  const older = page.getByRole('article', { name: 'Operation 1' })
  await older.getByText('Later operations moved').waitFor()
  expect(
    await older.getByRole('button', { name: 'Undo this…' }).getAttribute('aria-disabled'),
  ).toBe('true')
  // The state before it can be reached by a plan: here a switch to the turns it undid.
  await older.getByRole('button', { name: 'Go to the state before…' }).focus()
  await page.keyboard.press('Enter')
  await dialog(page).getByText('Switch to Use JWT').waitFor()
  await dialog(page).getByText('continues after turn 3').waitFor()
  await page.keyboard.press('Escape')
  // Keys move from one to the next.
  await page.getByRole('button', { name: /Undid 2 turns/ }).focus()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('article', { name: 'Operation 2' }).waitFor()
  await page.keyboard.press('ArrowUp')
  await shown.getByRole('button', { name: 'Undo this…' }).click()
  await dialog(page).getByText('Undo operation 3').waitFor()
  await dialog(page).getByRole('list', { name: 'Files' }).waitFor()
  expect(await p.s.read('a.txt')).toBe('ONE\ntwo\nthree\n')
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('button', { name: /Undid “/ }).waitFor()
  expect(await p.s.read('a.txt')).toBe('ONE\nTWO\nthree\n')
  await page.getByRole('button', { name: /Undid 1 turn undone/ }).waitFor()
  await page.getByText('Names', { exact: true }).click()
  await expect.poll(() => page.locator('[data-row]').count()).toBe(1)
  await page.getByRole('heading', { name: 'Checkpoint “works”' }).waitFor()
})

test('[F11][W4] the palette: words in prompts, answers, files and commands of all branches lead to their turns; actions show their keys', async () => {
  const p = await play()
  await using server = await serving(p.s)
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  await page.getByText('Sessions it is.').waitFor()
  await page.keyboard.press('Control+k')
  const option = (name: RegExp) => dialog(page).getByRole('option', { name })
  await option(/Undo the last turn u/).waitFor()
  // In an answer, on another branch, by the beginnings of words.
  await retype(page, 'jwt it')
  await option(/Use JWT/).waitFor()
  await dialog(page).getByText('1 result', { exact: true }).waitFor()
  await window.expectAccessible('palette')
  // By the name of a file: the turns that changed it, and the file.
  await retype(page, 'jwt.txt')
  await option(/jwt\.txt.*changed in 2 turns/).waitFor()
  await retype(page, 'refresh')
  await option(/Add refresh/).waitFor()
  await expect.poll(() => option(/Add refresh/).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Enter')
  await dialog(page).getByText('Branches after turn 1').waitFor()
  await dialog(page).getByText('Refreshed.').waitFor()
  await page.keyboard.press('Escape')

  // New text is found too, and missing text is not.
  await p.say('Rename the colophon', 'Renamed.')
  await page.getByText('Renamed.').waitFor()
  await page.keyboard.press('Control+k')
  await retype(page, 'colophon')
  await option(/Rename the colophon/).waitFor()
  await retype(page, 'no such words')
  await dialog(page).getByText('Nothing found.').waitFor()
  await retype(page, 'undo the last')
  await page.keyboard.press('Enter')
  await dialog(page).getByText('Undo 1 turn').waitFor()
})

test('[W20][W22] settings and health: doctor’s findings, storage, settings, figures, and what cannot be undone', async () => {
  const p = await play()
  // Contents that no turn made: a line of the user's, merged by undo and redo.
  await p.s.write('a.txt', 'ONE\nTWO\nthree\nmine\n')
  await p.run('undo')
  await p.run('redo')
  await p.s.write('a.txt', 'ONE\nTWO\nthree\nother\n')
  await p.run('undo')
  await p.run('redo')
  await using server = await serving(p.s)
  await using window = await web.open(server)
  const { page } = window
  await page.getByRole('link', { name: 'Settings and health' }).click()
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  await part('Health').getByText('The store of this project is intact.').waitFor()
  await part('Storage').getByText('for copies of transcripts').waitFor()
  await part('Storage')
    .getByRole('button', { name: /^Clean up/ })
    .waitFor()
  await part('Usage').getByText('Never sent anywhere').waitFor()
  await window.expectAccessible('settings')

  const days = page.getByRole('textbox', { name: /Days that operations can be undone/ })
  const save = page.getByRole('button', { name: 'Save: Days that operations' })
  await typeInto(page, days, 'soon')
  await save.click()
  await page.getByText('`retention` must be a whole number of days').waitFor()
  await typeInto(page, days, '30')
  await save.click()
  await expect.poll(async () => (await server.client.settings({})).settings.retention).toBe(30)
  // Speech is turned on here too, by keyboard; lines to type elsewhere can be copied.
  const speech = page.getByRole('group', { name: 'Speech on the page' })
  await speech.getByRole('radio', { name: 'Off' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await server.client.settings({})).settings.voice).toBe(true)
  const kept = part('Recording and storage')
  await kept.getByRole('button', { name: 'Copy command' }).focus()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
    .toBe('retake settings')
  // The page cannot change where speech is sent, because the key would follow.
  const elsewhere = { key: 'voiceUrl' as 'quota', words: ['https://example.invalid'] }
  await expect(server.client.changeSetting(elsewhere)).rejects.toMatchObject({
    code: 'body-invalid',
  })

  // Nothing is deleted while it is needed; older contents are moved aside, and deleted later.
  const storage = part('Storage')
  const held = async () =>
    (await p.read<{ contents: { id: string; aside: string | null }[] }>('where', 'a.txt')).contents
  const cleanUp = storage.getByRole('button', { name: /^Clean up/ })
  expect(await cleanUp.getAttribute('aria-disabled')).toBe('true')
  const scanAgain = async (): Promise<void> => {
    await page.reload()
    await expect.poll(() => cleanUp.getAttribute('aria-disabled')).toBe(null)
    await cleanUp.click()
  }
  makeOlder(p, 91)
  await scanAgain()
  await dialog(page)
    .getByText(/^[1-9]\d* contents .* that nothing needs are set aside/)
    .waitFor()
  await dialog(page)
    .getByText(/[1-9] operations can no longer be undone/)
    .waitFor()
  await window.expectAccessible('clean-up')
  const dry = await server.client.storage({})
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  expect(await server.client.storage({})).toEqual(dry)
  await cleanUp.click()
  await dialog(page).getByRole('button', { name: 'Clean up', exact: true }).click()
  await storage.getByText(/set aside; a clean-up after .* deletes them/).waitFor()
  const aside = (await held()).filter((content) => content.aside !== null).map(({ id }) => id)
  expect(aside).not.toEqual([])
  makeOlder(p, 8)
  await scanAgain()
  await dialog(page)
    .getByText(/^[1-9]\d* contents .* are deleted for good/)
    .waitFor()
  await dialog(page).getByRole('button', { name: 'Clean up', exact: true }).click()
  await dialog(page).waitFor({ state: 'detached' })
  expect((await held()).filter(({ id }) => aside.includes(id))).toEqual([])

  // A clean-up is not applied without a preview.
  const { projects } = await server.client.storage({})
  const stale = await server.post(`/api/storage/${projects[0]!.key}/gc`, { plan: '0'.repeat(32) })
  expectProblem(stale, { status: 409, code: 'plan-stale' })
  await page
    .getByRole('group', { name: /only “undo” as a command/ })
    .getByText('On', { exact: true })
    .click()
  await expect.poll(async () => (await server.client.settings({})).settings.plainUndo).toBe(true)
  await part('This page').getByText('Dark', { exact: true }).click()
  await expect
    .poll(() => page.evaluate<string>('document.documentElement.dataset.theme ?? ""'))
    .toBe('dark')
  await part('This page').getByText('System', { exact: true }).click()

  await page.getByRole('link', { name: 'What Retake cannot undo' }).click()
  await page.getByText('anything that is not a file').waitFor()
  await window.expectAccessible('what cannot be undone')
})

test('[W10][B5] the graph: a row per turn with its title, files and time, by keyboard, as a list, and a plan to go there', async () => {
  const { window, page } = await open()
  await page.getByText('Sessions it is.').waitFor()
  await page.keyboard.press('g')
  const graph = page.getByRole('region', { name: 'Graph of turns' })
  // Newest on top; nothing that fits is folded, so there is no control for it.
  await expect
    .poll(() => graph.getByRole('button').allInnerTexts())
    .toEqual([
      expect.stringMatching(
        /^Turn\s+2\s+Use sessions\s+you are here\s+Use sessions\s+2 files\s+\d\d:\d\d$/,
      ),
      expect.stringMatching(/^Turn\s+3\s+Add refresh\s+on another branch\s+Use JWT\s+1 file/),
      expect.stringMatching(/^Turn\s+2\s+Use JWT\s+on another branch\s+1 file/),
      expect.stringMatching(/^Turn\s+1\s+Start\s+1 file/),
    ])
  expect(await page.getByText('Forks only').count()).toBe(0)
  const card = page.getByRole('region', { name: 'Chosen turn' })
  await card.getByText('Use sessions').last().waitFor()
  await window.expectAccessible('graph')
  await graph.getByRole('button', { name: /you are here/ }).focus()
  await page.keyboard.press('End')
  await card.getByText('Start').last().waitFor()
  await page.keyboard.press('ArrowRight')
  await card.getByText('another branch').waitFor()
  await page.keyboard.press('ArrowUp')
  await card.getByText('Add refresh').waitFor()
  await card.getByRole('button', { name: 'Go there…' }).click()
  await dialog(page).getByText('Switch to').waitFor()
  // Turns have numbers and branches have names: the same in the card, the plan and the list.
  await card.getByText('Turn 3', { exact: true }).waitFor()
  await card.getByText('· Use JWT', { exact: true }).waitFor()
  await dialog(page).getByText('Use JWT').first().waitFor()
  expect(await dialog(page).innerText()).not.toMatch(/[0-9a-f]{8}/)
  await page.keyboard.press('Escape')

  await page.getByText('List', { exact: true }).click()
  const list = page.getByRole('list', { name: 'Branches' })
  await list.getByText('forks after turn 1').waitFor()
  await list.getByRole('heading', { name: /^Use JWT/ }).waitFor()
  await window.expectAccessible('graph as a list')
  // A turn of another branch opens where that branch begins.
  await list.getByRole('link', { name: /Add refresh/ }).click()
  await dialog(page).getByText('Branches after turn 1').waitFor()
  await dialog(page).getByText('Refreshed.').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.getByText('Whole project').click()
  await page.getByRole('heading', { name: /^Graph of / }).waitFor()
})

test('[F1][F5] files through time: any file at any turn or step, compared with now, the author of each line, every version; going there and restoring show plans', async () => {
  const { p, window, page } = await open()
  await backToSession(page)
  await page.getByText('Sessions it is.').waitFor()
  const before = await p.files()
  await page.keyboard.press('t')
  const slider = page.getByRole('slider', { name: 'Moment of the session' })
  await page.getByText('Turn 2 · Use sessions').waitFor()
  await page.getByRole('button', { name: /^a\.txt/ }).click()
  const text = page.getByRole('region', { name: 'Text of a.txt' })
  await text.getByText('TWO').waitFor()
  await window.expectAccessible('files through time')
  // In the middle of the turn the first of its two files is written, and this one is not.
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  await page.getByText('Turn 2, change 1 of 2: sessions.txt · Use sessions').waitFor()
  await text.getByText('two', { exact: true }).waitFor()
  await page.keyboard.press('Home')
  await page.getByText('Before the first turn').waitFor()
  await text.getByText('one', { exact: true }).waitFor()
  await page.getByText('Against now').click()
  await page.getByRole('region', { name: 'Changes in a.txt' }).getByText('added: TWO').waitFor()
  expect(await p.files()).toEqual(before)

  await page.getByText('Who wrote it').click()
  await text.getByRole('link', { name: 'turn 1: Start' }).waitFor()
  await text.getByRole('link', { name: 'turn 2: Use sessions' }).waitFor()
  await text.getByText('there before').waitFor()
  await window.expectAccessible('who wrote it')
  await page.getByRole('button', { name: /^jwt\.txt/ }).click()
  await page.getByText('Versions', { exact: true }).click()
  const versions = page.getByRole('list', { name: 'Versions' })
  await versions.getByText('another branch: Add refresh').waitFor()
  await versions.getByText('Retake, operation 1').waitFor()

  await page.getByRole('button', { name: /^a\.txt/ }).click()
  await page.getByRole('button', { name: 'Restore this file…' }).click()
  await dialog(page).getByText('Restore 1 file').waitFor()
  await dialog(page).getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('Restored 1 file', { exact: true }).waitFor()
  expect(await p.files()).toEqual({ ...before, 'a.txt': 'one\ntwo\nthree\n' })
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Go there…' }).click()
  await dialog(page).getByText('Undo everything after turn 1').waitFor()
  await page.keyboard.press('Escape')
  await p.run('op', 'undo')
  expect(await p.files()).toEqual(before)
})

test('[W12][W13] two branches side by side: turns from the fork, figures, files; a file is taken over, the other branch made the main branch and switched to', async () => {
  const { p, window, page } = await open()
  await backToSession(page)
  await page.getByText('Sessions it is.').waitFor()
  await page.keyboard.press('x')
  await page.getByText('Diverged after turn 1 “Start”.').waitFor()
  const turns = page.getByRole('region', { name: 'Turns' })
  await turns.getByRole('link', { name: /Use sessions/ }).waitFor()
  await turns.getByRole('link', { name: /Use JWT/ }).waitFor()
  await turns.getByRole('link', { name: /Add refresh/ }).waitFor()
  await page.getByRole('row', { name: '1 turns 2' }).waitFor()
  await page.getByRole('row', { name: '2 files changed 1' }).waitFor()
  await page.getByRole('row', { name: /^[1-9]\d* tokens written [1-9]\d*$/ }).waitFor()
  const files = page.getByRole('region', { name: 'Files' })
  await files.getByText('3 files differ').waitFor()
  await files
    .getByRole('region', { name: 'Both sides of a.txt' })
    .getByText('only first: TWO')
    .waitFor()
  await window.expectAccessible('compare')

  await files.getByRole('button', { name: /^jwt\.txt/ }).click()
  await files.getByRole('button', { name: 'Restore this file from Use JWT' }).last().click()
  await dialog(page).getByText('Restore 1 file').waitFor()
  await dialog(page).getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('Restored 1 file', { exact: true }).waitFor()
  expect(await p.files()).toMatchObject({
    'jwt.txt': 'jwt, refresh\n',
    'sessions.txt': 'sessions\n',
  })
  await p.run('op', 'undo')

  const side = (name: string) => page.getByRole('region', { name, exact: true })
  await side('Use sessions').getByRole('button', { name: 'Make it the main branch' }).click()
  await side('Use sessions').getByText('main branch', { exact: true }).waitFor()
  await side('Use JWT').getByRole('button', { name: 'Switch to Use JWT' }).click()
  await dialog(page).getByRole('button', { name: 'Switch', exact: true }).click()
  await side('Use JWT').getByText('here', { exact: true }).waitFor()
  expect(await p.files()).toMatchObject({
    'a.txt': 'ONE\ntwo\nthree\n',
    'jwt.txt': 'jwt, refresh\n',
  })
  await page.getByRole('button', { name: 'Swap the sides' }).click()
  await page.getByRole('row', { name: '2 turns 1' }).waitFor()
  // Two turns of one line can be compared too.
  await page.getByRole('combobox', { name: 'First' }).selectOption({ label: '1 Start' })
  await page.getByRole('row', { name: '0 turns 1' }).waitFor()
})
