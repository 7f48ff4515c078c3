import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { edit, write } from '../model/index.ts'
import { playedOnce, type Played } from '../operations/played.ts'
import { serving } from '../server/serving.ts'
import { follow, retype, webBrowser } from './opened.ts'

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
  await p.say('Use sessions', [write('sessions.txt', 'sessions\n'), 'Sessions it is.'])
  return p
}

const turn = (page: Page, prompt: string) =>
  page.getByRole('article', { name: new RegExp(`: ${prompt}$`) })
const dialog = (page: Page) => page.getByRole('dialog')

test('[B6] a click counts although what is above the pressed button grows or gets shorter meanwhile', async () => {
  const p = await forked()
  await using server = await serving(p.s)
  await using window = await web.open(server)
  const { page } = window
  const read = Promise.withResolvers<void>()
  // Details make turns shorter, and the status brings a banner.
  for (const path of [`/api/sessions/*/turns/*`, `/api/sessions/${p.id}`])
    await page.route(server.url + path, (route) => read.promise.then(() => route.continue()))
  await follow(page, `/s/${p.id}`)
  const chip = page.getByRole('button', { name: 'Try 2/2: show all' })
  await chip.hover()
  const before = (await chip.boundingBox())!
  await page.mouse.down()
  read.resolve()
  await turn(page, 'Start').getByText('Started.').waitFor()
  await turn(page, 'Use sessions').getByText('Sessions it is.').waitFor()
  await page.getByText('Undo can’t see file changes made by shell commands yet').waitFor()
  expect((await chip.boundingBox())!.y).toBeCloseTo(before.y, 0)
  await page.mouse.up()
  await dialog(page).getByText('Branches after turn 1').waitFor()
})

test('[B5][B6][B8] a fork shows its branches; the window shows each as a conversation, and a switch brings its files', async () => {
  const p = await forked()
  await using server = await serving(p.s)
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  const chip = page.getByRole('button', { name: 'Try 2/2: show all' })
  await chip.click()
  const branches = dialog(page)
  await branches.getByText('Branches after turn 1').waitFor()
  await branches.getByText('2 / 2').waitFor()
  await branches.getByText('Sessions it is.').waitFor()
  await page.keyboard.press('ArrowLeft')
  await branches.getByText('1 / 2').waitFor()
  await branches.getByText('JWT it is.').waitFor()
  await branches.getByText('Refreshed.').waitFor()
  await window.expectAccessible('branch window')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  expect(await page.evaluate<string>("document.activeElement?.textContent ?? ''")).toContain(
    'Add refresh',
  )
  await branches.getByRole('button', { name: 'Switch to this turn' }).first().click()
  await dialog(page).getByText('Switch to').waitFor()
  await dialog(page).getByRole('button', { name: 'Switch' }).click()
  await page.getByText('1 turn undone').first().waitFor()
  expect(await p.files()).toMatchObject({ 'jwt.txt': 'jwt\n' })
  expect(await p.files()).not.toHaveProperty('sessions.txt')
  expect(await p.sent()).toEqual(['Start', 'Use JWT'])
  // The line it left is another try at the turn: shown in its place, and switched to by a plan.
  await turn(page, 'Use JWT').focus()
  await page.keyboard.press(']')
  const other = page.getByRole('region', { name: 'Try 2 of 2' })
  await other.getByText('Sessions it is.').waitFor()
  await window.expectAccessible('another try')
  await page.keyboard.press('Escape')
  await other.waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate<string>("document.activeElement?.getAttribute('aria-label')"))
    .toContain('Use JWT')
  await page.keyboard.press('[')
  await other.getByRole('button', { name: 'Switch to this try…' }).focus()
  await page.keyboard.press('Enter')
  await other.getByText('the conversation continues after turn 2').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Switched to Use sessions').first().waitFor()
  // The notice offers Undo for a while, and never covers the header, even in a low window.
  await page.setViewportSize({ width: 640, height: 400 })
  const [notice, header, turns] = await Promise.all([
    page.locator('[data-notices] li').last().boundingBox(),
    page.locator('main header').boundingBox(),
    page.getByRole('feed').locator('..').boundingBox(),
  ])
  // At 200 % zoom half of the height shows turns.
  expect(turns!.height).toBeGreaterThanOrEqual(200)
  expect(notice!.y).toBeGreaterThanOrEqual(header!.y + header!.height)
  await page.locator('[data-notices]').getByRole('button', { name: 'Undo' }).last().waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  await turn(page, 'Use sessions').waitFor()
  expect(await p.files()).toMatchObject({ 'sessions.txt': 'sessions\n' })
  await expect
    .poll(() => page.evaluate<string>("document.activeElement?.getAttribute('aria-label')"))
    .toContain('Use sessions')
  // Another try adds only one folded try to the list of sessions.
  const tree = page.getByRole('tree', { name: 'Sessions by project' })
  await tree.getByText('1 other try').waitFor()
  expect(await tree.getByText(/branch/).count()).toBe(0)
})

test('[B12][W10][W11][W12][W17] a branch is renamed, archived, made the main branch and forgotten; many branches give a warning', async () => {
  const p = await forked()
  await p.s.retake('settings', 'set', 'branchWarning', '2')
  await using server = await serving(p.s)
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  // The tree of sessions folds tries, and keys lead there.
  const tree = page.getByRole('tree', { name: 'Sessions by project' })
  await tree.getByRole('treeitem', { name: '1 other try' }).waitFor()
  await tree.getByRole('treeitem', { level: 2 }).getByRole('link').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await tree.getByRole('treeitem', { name: 'Use JWT 3 turns' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await dialog(page).getByText('JWT it is.').waitFor()
  await dialog(page).getByText('2 of 20 branches are open.').waitFor()
  await dialog(page).getByRole('button', { name: 'Rename' }).click()
  await retype(page, 'try JWT')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('tab', { name: 'try JWT' }).waitFor()
  // A name makes it a branch; the current one comes first.
  await tree.getByText('2 branches').waitFor()
  expect(await tree.getByRole('treeitem', { level: 3 }).allInnerTexts()).toEqual([
    expect.stringMatching(/^Use sessions\s+here$/),
    expect.stringMatching(/^try JWT\s+3 turns$/),
  ])
  await dialog(page).getByRole('button', { name: 'Archive' }).click()
  await dialog(page).getByText('archived', { exact: false }).first().waitFor()
  await dialog(page).getByRole('button', { name: 'Unarchive' }).click()
  await dialog(page).getByRole('button', { name: 'Archive', exact: true }).waitFor()
  await page.keyboard.press('ArrowRight')
  await dialog(page).getByText('Sessions it is.').waitFor()
  await dialog(page).getByRole('button', { name: 'Make main' }).click()
  await dialog(page).getByText('· main branch').waitFor()
  await tree.getByRole('treeitem', { name: 'Use sessions the main branch here' }).waitFor()
  await tree.getByRole('treeitem', { name: 'try JWT archived' }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await dialog(page).getByRole('button', { name: 'Hide…' }).click()
  await dialog(page).getByText('Hide this branch with 2 turns?').waitFor()
  await dialog(page).getByRole('button', { name: 'Hide', exact: true }).click()
  await expect
    .poll(async () => (await server.client.branches({ session: p.id })).branches.length)
    .toBe(1)
  await tree.getByText('2 branches').waitFor({ state: 'detached' })
})

test('[W7][W8][W9][W10] a branch session is named, opened, and shows its origin', async () => {
  const p = await play()
  await using server = await serving(p.s)
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  await turn(page, 'Use JWT').click({ button: 'right', position: { x: 60, y: 30 } })
  await page.getByRole('menuitem', { name: 'Branch from here as a new session' }).click()
  await retype(page, 'Another way')
  await dialog(page).getByRole('button', { name: 'Show the plan' }).click()
  await dialog(page).getByText('the new session starts there').waitFor()
  await dialog(page).getByRole('button', { name: 'Branch', exact: true }).click()
  await page.getByRole('heading', { name: 'Another way' }).waitFor()
  await page.getByText('Rewound from turn 2 of').waitFor()
  expect(await p.files()).toMatchObject({ 'jwt.txt': 'jwt\n' })
  const tree = page.getByRole('tree', { name: 'Sessions by project' })
  await tree.getByText('1 branch').waitFor()
  await tree.getByRole('treeitem', { name: /Another way/ }).waitFor()
  await window.expectAccessible('branch session')
  await page
    .getByRole('navigation', { name: 'Where this session came from' })
    .getByRole('link')
    .click()
  await turn(page, 'Add refresh').waitFor()
})

test('[W18][W19] a turn gets a name that finds it; the stash lists turns left behind and brings them back', async () => {
  const p = await play()
  await using server = await serving(p.s)
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  await turn(page, 'Use JWT').focus()
  await page.keyboard.press('c')
  await retype(page, 'works')
  await page.keyboard.press('Enter')
  await turn(page, 'Use JWT').getByText('works', { exact: true }).waitFor()
  expect((await p.log()).find(({ number }) => number === 2)).toMatchObject({ checkpoint: 'works' })
  await page.getByRole('button', { name: /^Turn 3 of 3/ }).click()
  await retype(page, 'works')
  await page.getByRole('option', { name: /Use JWT works/ }).click()
  await expect.poll(() => page.url()).toContain('?turn=')

  // All names in one view, with the files then and now.
  await page.keyboard.press('Shift+C')
  const works = page.getByRole('article', { name: 'Checkpoint works' })
  const then = works.getByRole('region', { name: 'Files then against now' })
  await then.getByText('1 file is not what it was then').waitFor()
  await then.getByText('added: jwt, refresh').waitFor()
  await window.expectAccessible('checkpoints')
  await works.getByRole('link', { name: 'Compare with where you are' }).click()
  await page.getByText('Diverged after turn 2 “Use JWT”.').waitFor()
  await page.keyboard.press('Shift+C')
  await works.getByRole('button', { name: 'Go there…' }).click()
  await dialog(page).getByText('Undo everything after turn 2').waitFor()
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await works.getByText('here', { exact: true }).waitFor()
  await then.getByText('No files changed since then').waitFor()
  expect(await p.files()).toMatchObject({ 'jwt.txt': 'jwt\n' })

  await page.keyboard.press('s')
  const left = page.getByRole('article', { name: /^Stash / })
  await left.getByText('left by a rewind').waitFor()
  await left.getByRole('link', { name: /Add refresh/ }).waitFor()
  await left.getByRole('region', { name: 'Changes in jwt.txt' }).getByText('refresh').waitFor()
  await window.expectAccessible('stash')
  await left.getByRole('button', { name: 'Bring back…' }).click()
  await dialog(page).getByText('This changes 1 file').waitFor()
  await dialog(page).getByRole('button', { name: 'Redo', exact: true }).click()
  await page.getByText('The stash is empty').waitFor()
  expect(await p.files()).toMatchObject({ 'jwt.txt': 'jwt, refresh\n' })

  // Deleting a name is an operation like others.
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('menuitem', { name: /^Checkpoints/ }).click()
  await works.getByRole('button', { name: 'Delete checkpoint' }).click()
  await page.getByText('No checkpoints yet').waitFor()
  await p.run('op', 'undo')
  await works.getByText('turn 2 · named').waitFor()
})
