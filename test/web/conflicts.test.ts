import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import type { PlanView } from '#protocol'
import { edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { expectProblem, serving } from '../server/serving.ts'
import { follow, webBrowser } from './opened.ts'

vi.setConfig({ testTimeout: 180_000 })

const web = webBrowser()
const APP = `import { pool } from './pool.ts'

const db = pool(5)
const cache = new Map<string, string>()

export function find(name: string): string | undefined {
  return cache.get(name) ?? db.find(name)
}

export function store(name: string, value: string): void {
  cache.set(name, value)
  db.store(name, value)
}

export function close(): void {
  db.close()
}
`
const AFTER = APP.replace('pool(5)', 'pool(10)').replace(
  '  db.close()',
  '  db.close()\n  cache.clear()',
)
const play = playedOnce({
  files: {
    'src/app.ts': APP,
    'gone.txt': 'one\n',
    'logo.bin': 'a\n',
    '.env': 'TOKEN=old\n',
    'to.txt': 'a\n',
  },
  turns: {
    Begin: 'Begun.',
    'Change all': [
      [
        edit('src/app.ts', 'pool(5)', 'pool(10)'),
        edit('src/app.ts', '  db.close()', '  db.close()\n  cache.clear()'),
        edit('gone.txt', 'one', 'two'),
        write('made.txt', 'made\n'),
        edit('logo.bin', 'a', 'b'),
        edit('.env', 'old', 'new'),
        edit('to.txt', 'a', 'b'),
      ],
      'Changed.',
    ],
  },
})

const dialog = (page: Page) => page.getByRole('dialog')
const focused = (page: Page) =>
  page.evaluate<string>(
    "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''",
  )

/** The session, with edits by the user in every file that the turn changed. */
async function inConflict() {
  const p = await play()
  const put = (name: string, text: string) => writeFile(join(p.s.project, name), text)
  const mine = APP.replace('pool(5)', 'pool(20)').replace(
    '  db.close()',
    '  db.close()\n  cache.forget()',
  )
  await put('src/app.ts', mine)
  await put('made.txt', 'made\nand mine\n')
  await put('logo.bin', 'a\0d')
  await put('.env', 'TOKEN=mine\n')
  await rm(join(p.s.project, 'gone.txt'))
  await rm(join(p.s.project, 'to.txt'))
  await symlink('elsewhere', join(p.s.project, 'to.txt'))
  return { p, put, mine }
}

test('[S6][S14] the versions of a conflict over the API: by places in the plan, secrets only on request', async () => {
  const { p } = await inConflict()
  await using server = await serving(p.s)

  // By places in the plan, never by a path.
  const plan = (await server.client.plan({ session: p.id, verb: 'undo' })) as PlanView
  const place = (path: string) => String(plan.files.findIndex((file) => file.path === path))
  const app = await server.client.planVersions({ plan: plan.id, file: place('src/app.ts') })
  expect(app).toMatchObject({ way: 'back', hidden: false, path: 'src/app.ts' })
  const conflicts = app.blocks!.filter(
    (block) => block.kind === 'lines' && block.change === 'conflict',
  )
  expect(conflicts).toMatchObject([
    {
      base: { from: 3, lines: ['const db = pool(10)'] },
      yours: { from: 3, lines: ['const db = pool(20)'] },
      theirs: { from: 3, lines: ['const db = pool(5)'] },
    },
    {
      base: { lines: ['  cache.clear()'] },
      yours: { lines: ['  cache.forget()'] },
      theirs: { lines: [] },
    },
  ])
  expect(app.outcomes.map(({ choice }) => choice)).toEqual(['keep-mine', 'put-back', 'mark'])
  const env = { plan: plan.id, file: place('.env') }
  for (const hidden of [await server.client.planVersions(env), await server.client.planFile(env)])
    expect(JSON.stringify(hidden)).not.toContain('TOKEN')
  const versions = await server.client.planVersions({ ...env, reveal: 'yes' })
  expect(JSON.stringify(versions)).toContain('TOKEN=mine')
  const binary = await server.client.planVersions({ plan: plan.id, file: place('logo.bin') })
  expect(binary).toMatchObject({
    blocks: null,
    yours: { state: 'binary', size: 3 },
    theirs: { text: 'a\n' },
  })
  const files = `/api/plans/${plan.id}/files`
  expectProblem(await server.get(`${files}/99/versions`), { status: 404, code: 'file-not-found' })
  expectProblem(await server.get(`${files}/src%2Fapp.ts/versions`), {
    status: 400,
    code: 'id-invalid',
  })
  expectProblem(await server.get(`${files}/0/versions?path=x`), {
    status: 400,
    code: 'body-invalid',
  })
})

test('[B10][sem.M7][S14] a conflict in three versions, aligned and by keyboard; nothing is written before, and a choice applies to what it was made for', async () => {
  const { p, put, mine } = await inConflict()
  const before = await p.files()
  await using server = await serving(p.s)
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  await page.getByText('Changed.').waitFor()
  await page.keyboard.press('u')
  await dialog(page).getByText('This needs your decision about 6 files').waitFor()
  const compare = (path: string) =>
    dialog(page).getByRole('button', { name: `Compare versions… of ${path}` })
  const versions = (path: string) =>
    dialog(page).getByRole('region', { name: `Versions of ${path}` })
  const outcome = dialog(page).getByRole('region', { name: 'Result' })
  await compare('src/app.ts').click()
  const second = versions('src/app.ts').getByRole('region', { name: 'Conflict 2 of 2' })
  await second.getByText('You and the agent both changed line 17.').waitFor()
  await second
    .getByRole('group', { name: 'Yours, on disk now' })
    .getByText('in conflict: cache.forget()')
    .waitFor()
  await window.expectAccessible('three versions')
  for (const key of ['3', 'n', 'n']) await page.keyboard.press(key)
  await expect.poll(() => focused(page)).toBe('Conflict 2 of 2')
  await outcome.getByText('added: <<<<<<< your version').first().waitFor()
  await page.keyboard.press('p')
  await expect.poll(() => focused(page)).toBe('Conflict 1 of 2')
  // One place by itself; the other stays as chosen for the file.
  await page.keyboard.press('2')
  const first = versions('src/app.ts').getByRole('radiogroup', { name: 'Choose for conflict 1' })
  expect(await first.getByLabel('Restore the old version').isChecked()).toBe(true)
  await outcome.getByText('added: const db = pool(5)').waitFor()
  await window.expectAccessible('a choice for each conflict')

  // Side by side, and stacked in a narrow window.
  const top = async (name: string) =>
    (await versions('src/app.ts')
      .getByRole('region', { name: 'Conflict 1 of 2' })
      .getByText(`in conflict: ${name}`, { exact: true })
      .boundingBox())!.y
  const both = async () => [await top('const db = pool(5)'), await top('const db = pool(20)')]
  const [a, b] = await both()
  expect(a).toBe(b)
  await page.setViewportSize({ width: 480, height: 860 })
  await expect
    .poll(async () => (await both()).map((y, at, all) => y > (all[at - 1] ?? -1)))
    .toEqual([true, true])
  await page.setViewportSize({ width: 1280, height: 800 })

  // After the last place comes the next file; back returns to the same place in the plan.
  for (const key of ['n', 'n']) await page.keyboard.press(key)
  await versions('to.txt').getByText('A symbolic link to elsewhere').waitFor()
  await versions('to.txt').getByRole('region', { name: 'Text of Before the turn' }).waitFor()
  await page.keyboard.press('1')
  await outcome.getByText('Nothing: the file stays as you have it.').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Compare versions… of to.txt')
  const say = async (path: string, words: string) => {
    await compare(path).click()
    await versions(path).waitFor()
    await page.keyboard.press('2')
    await outcome.getByText(words).first().waitFor()
    await page.keyboard.press('Escape')
    await compare(path).waitFor()
  }
  await say('gone.txt', 'added: one')
  await say('made.txt', 'The file is removed. Retake keeps it')
  await say('logo.bin', 'The text above under “Before the turn”.')
  await compare('.env').click()
  await versions('.env').getByRole('button', { name: 'Show it' }).click()
  await versions('.env').getByText('in conflict: TOKEN=mine').waitFor()
  await page.keyboard.press('2')
  await outcome.getByText('added: TOKEN=old').waitFor()
  expect(await p.files()).toEqual(before)

  // The file changed meanwhile: the plan is stale, and only the choice for that file.
  await put('made.txt', 'made\nand more\n')
  await page.keyboard.press('Control+Enter')
  const alert = dialog(page).getByRole('alert')
  await alert.getByText('changed since: made.txt').waitFor()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await dialog(page).getByText('made.txt changed since you chose.').waitFor()
  await alert.waitFor({ state: 'detached' })
  const undo = dialog(page).getByRole('button', { name: 'Undo', exact: true })
  expect(await undo.getAttribute('aria-disabled')).toBe('true')
  await dialog(page)
    .getByRole('group', { name: 'What to do with made.txt' })
    .getByText('Keep mine')
    .click()
  await undo.click()
  // The notice names each file once, with its result.
  const notice = page.locator('[data-notices]').getByRole('listitem')
  await notice.getByText('Undid 1 turn').first().waitFor()
  const said = (await notice.first().innerText()).replaceAll(/\s+/g, ' ')
  expect(said).toContain('Resolve the conflict markers in: src/app.ts Changed: ')
  expect(said).toMatch(/Left as you have it: (made\.txt to\.txt|to\.txt made\.txt)/)
  for (const path of ['src/app.ts', 'gone.txt', 'made.txt', 'logo.bin', '.env', 'to.txt'])
    expect(said.split(path), said).toHaveLength(2)
  const marked = mine
    .replace('const db = pool(20)', 'const db = pool(5)')
    .replace('  cache.forget()', '<<<<<<< your version\n$&\n=======\n>>>>>>> restored by Retake')
  expect(await p.files()).toMatchObject({
    'src/app.ts': marked,
    'made.txt': 'made\nand more\n',
    'gone.txt': 'one\n',
    'logo.bin': 'a\n',
    '.env': 'TOKEN=old\n',
  })
})

test('[S14] everywhere else, lines of a secret file are shown only on request', async () => {
  const { p } = await inConflict()
  await p.run('undo', '--on-conflict', 'put-back')
  await using server = await serving(p.s)
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  await server.client.setCheckpoint({ session: p.id, name: 'changed', turn: 2 })
  const turns = page.getByRole('article', { name: /: Change all$/ })
  const unhide = async (within: Page | ReturnType<Page['locator']>, added: string) => {
    const row = within.getByRole('listitem').filter({ hasText: '.env' }).last()
    const fold = row.getByRole('button', { name: /\.env/ })
    // The first of a list is open from the start.
    if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click()
    await row.getByText('Not shown: it may contain secrets.').waitFor()
    expect(await page.getByText('TOKEN=').count()).toBe(0)
    await row.getByRole('button', { name: 'Show it' }).click()
    await row.getByText(added).waitFor()
  }
  await turns.getByRole('button', { name: /6 files/ }).click()
  await unhide(turns, 'added: TOKEN=new')
  for (const [path, added] of [
    [`/operations?session=${p.id}&operation=1`, 'added: TOKEN=old'],
    [`/stash?session=${p.id}`, 'added: TOKEN=new'],
    [`/compare?session=${p.id}&a=1&b=2`, 'only second: TOKEN=new'],
    [`/checkpoints?session=${p.id}`, 'added: TOKEN=old'],
  ] as const) {
    await follow(page, path)
    await unhide(page, added)
  }
  await window.expectAccessible('a secret that was shown')
})

test('[F5][sem.V8][sem.O1][sem.O2] a plan restores single parts of a file; other edits stay, a changed part makes it stale, op undo reverses it; a line links to its turn', async () => {
  const p = await play()
  const path = join(p.s.project, 'src/app.ts')
  const mine = AFTER.replace('new Map<string, string>()', 'new Map<string, string>() // mine')
  await writeFile(path, mine)
  await using server = await serving(p.s)
  await using window = await web.open(server, `/files?session=${p.id}&file=src/app.ts`)
  const { page } = window
  const slider = page.getByRole('slider', { name: 'Moment of the session' })
  await slider.focus()
  await page.keyboard.press('Home')
  await page.getByText('Before the first turn').waitFor()
  await page.getByText('Against now').click()
  const parts = page.getByRole('checkbox', { name: /^Part \d of 2/ })
  await parts.nth(1).check()
  await window.expectAccessible('parts')
  await page.getByRole('button', { name: 'Restore 1 part…' }).click()
  await dialog(page).getByText('Restore 1 part of src/app.ts').waitFor()
  await dialog(page).getByText('This restores 1 part of the file; the rest of it stays.').waitFor()
  const restore = dialog(page).getByRole('button', { name: 'Restore', exact: true })
  const alert = dialog(page).getByRole('alert')

  // That very part is edited, so the plan cannot continue.
  await writeFile(path, mine.replace('cache.clear()', 'cache.clear() // soon'))
  await restore.click()
  await alert.getByText('src/app.ts changed at that place since you looked at it.').waitFor()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await alert.getByText('Look at the difference again').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('cache.clear() // soon').waitFor()
  expect(
    await page.getByRole('button', { name: 'Restore parts…' }).getAttribute('aria-disabled'),
  ).toBe('true')

  // After an edit elsewhere it is the same part, and the plan is made again.
  await parts.nth(1).check()
  await page.getByRole('button', { name: 'Restore 1 part…' }).click()
  await dialog(page).getByText('This restores 1 part of the file').waitFor()
  const top = '// mine too\n'
  const now = top + mine.replace('cache.clear()', 'cache.clear() // soon')
  await writeFile(path, now)
  await restore.click()
  await alert.getByText('changed since: src/app.ts').waitFor()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await alert.waitFor({ state: 'detached' })
  await restore.click()
  await page.getByText('Restored 1 file', { exact: true }).waitFor()
  expect(await p.s.read('src/app.ts')).toBe(top + mine.replace('\n  cache.clear()', ''))
  await p.run('op', 'undo')
  expect(await p.s.read('src/app.ts')).toBe(now)

  await page.getByRole('button', { name: /^gone\.txt/ }).click()
  await page.getByText('Who wrote it').click()
  await page.getByRole('link', { name: 'turn 2: Change all' }).click()
  await expect.poll(() => focused(page)).toContain('Change all')
})

test('[F5][sem.V8][sem.O1] undo and redo of a turn leave a part that was restored over the API', async () => {
  const p = await play()
  const path = join(p.s.project, 'src/app.ts')
  await using server = await serving(p.s)
  const at = (await server.client.moments({ session: p.id })).files.indexOf('src/app.ts')
  await writeFile(path, AFTER)
  const then = await server.client.fileAt({ session: p.id, file: String(at), turn: '1' })
  const [first] = then.parts
  expect(first).toMatchObject({ old: [3, 3], now: [3, 3] })
  const body = { session: p.id, files: ['src/app.ts'], at: '1' }
  expectProblem(
    await server.post(`/api/sessions/${p.id}/restore`, {
      files: body.files,
      at: '1',
      parts: ['../x'],
    }),
    { status: 400, code: 'body-invalid' },
  )
  await expect(server.client.restore({ ...body, parts: ['0'.repeat(40)] })).rejects.toMatchObject({
    code: 'plan-stale',
  })
  await server.client.restore({ ...body, parts: [first!.key] })
  expect(await p.s.read('src/app.ts')).toBe(AFTER.replace('pool(10)', 'pool(5)'))
  expect(await p.run('undo')).toMatchObject({ turnsUndone: 1 })
  expect(await p.s.read('src/app.ts')).toBe(APP)
  await p.run('redo')
  expect(await p.s.read('src/app.ts')).toBe(AFTER.replace('pool(10)', 'pool(5)'))
})
