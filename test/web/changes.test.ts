import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { expectProblem, serving } from '../server/serving.ts'
import { webBrowser } from './opened.ts'

const web = webBrowser()
const APP = `import { pool } from './pool.ts'

const db = pool(5)

export function read(name: string) {
  return db.get(name)
}

export function close() {
  db.close()
}
`
const play = playedOnce({
  files: { 'src/app.ts': APP },
  turns: {
    Begin: 'Begun.',
    'Change it': [
      [
        edit('src/app.ts', 'pool(5)', 'pool(10)'),
        edit('src/app.ts', '  db.close()', '  db.close()\n  log()'),
        write('made.txt', 'made\n'),
      ],
      'Changed.',
    ],
  },
})
const AFTER = APP.replace('pool(5)', 'pool(10)').replace('  db.close()', '  db.close()\n  log()')

test('[F5][sem.V7][sem.O2] the changes of a session are kept or undone by file or part, through plans; the user’s edits stay', async () => {
  const p = await play()
  const path = join(p.s.project, 'src/app.ts')
  const mine = AFTER.replace('db.get(name)', 'db.get(name) // mine')
  await writeFile(path, mine)
  await using server = await serving(p.s)
  await using window = await web.open(server, `/s/${p.id}`)
  const { page } = window
  await page.getByText('Changed.').waitFor()
  const header = page.locator('header')
  await header.getByRole('button', { name: /^2 files/ }).click()
  const list = page.getByRole('region', { name: 'Changes of this session' })
  const app = list.getByRole('region', { name: 'Changes in src/app.ts' })
  await app.getByText('Change 2 of 2').waitFor()
  // The user's own line is not a change of the session, and changed words are marked.
  expect(await app.getByText('added: return db.get(name)').count()).toBe(0)
  // Highlighting comes a moment later, and replaces the words' elements.
  const words = app.locator('[data-changed-word]')
  await expect.poll(() => words.allInnerTexts()).toEqual(['5', '10'])
  await window.expectAccessible('changes of a session')

  // One part, by the keyboard.
  const plan = page.getByRole('dialog', { name: /^Undo / })
  await list.getByRole('button', { name: 'Undo change 1 in src/app.ts' }).press('Enter')
  await plan.getByText('This undoes 1 change in the file; the rest of it stays.').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Reverted the agent’s changes').first().waitFor()
  expect(await p.s.read('src/app.ts')).toBe(mine.replace('pool(10)', 'pool(5)'))
  await expect.poll(() => app.getByText('pool(10)').count()).toBe(0)
  // It is an operation like any other.
  await p.run('op', 'undo')
  expect(await p.s.read('src/app.ts')).toBe(mine)
  await app.getByText('Change 2 of 2').waitFor()

  // Kept: a mark only in this browser.
  const keep = list.getByRole('button', { name: 'Keep made.txt' })
  await keep.press('Enter')
  await list.getByText('2 files changed, 1 to review').waitFor()
  expect(await p.s.read('src/app.ts')).toBe(mine)

  // The whole file: the user's edit stays.
  await list.getByRole('button', { name: 'Undo file src/app.ts' }).press('Enter')
  await plan.getByText('keeping your own edits').waitFor()
  await page.keyboard.press('Control+Enter')
  await list.getByText('1 file changed, all kept').waitFor()
  expect(await p.s.read('src/app.ts')).toBe(APP.replace('db.get(name)', 'db.get(name) // mine'))
  expect(await p.files()).toHaveProperty('made.txt')
  // Neither undo nor redo of the turn brings it back.
  await p.run('undo')
  await p.run('redo')
  expect(await p.s.read('src/app.ts')).not.toContain('log()')
})

test('[S6][sem.O1][F5] parts over the API: one by one they give the whole file; a part that is gone is stale', async () => {
  const p = await play()
  await using server = await serving(p.s)
  const read = async () => (await server.client.changes({ session: p.id })).files
  const [made, app] = await read()
  expect(made).toMatchObject({ path: 'made.txt', parts: [], conflict: false })
  expect(app).toMatchObject({ path: 'src/app.ts', turns: [{ number: 2 }], hasOthersEdits: false })
  const undo = async (parts: string[]) => {
    const body = { session: p.id, verb: 'revert-files' as const, files: ['src/app.ts'], parts }
    const { id } = (await server.client.plan(body)) as { id: string }
    return server.client.apply({ plan: id })
  }
  const [first, second] = app!.parts
  expect(await undo([second!.key])).toMatchObject({ filesReverted: ['src/app.ts'] })
  expect(await p.s.read('src/app.ts')).toBe(APP.replace('pool(5)', 'pool(10)'))
  await expect(undo([second!.key])).rejects.toMatchObject({ code: 'plan-stale' })
  await undo([first!.key])
  expect(await p.s.read('src/app.ts')).toBe(APP)
  expect(await read()).toMatchObject([{ path: 'made.txt' }])
  const plans = `/api/sessions/${p.id}/plans`
  expectProblem(await server.post(plans, { verb: 'revert-files', files: ['x'], parts: ['../x'] }), {
    status: 400,
    code: 'body-invalid',
  })
  // A file that no turn changed is not found.
  expect(await server.post(plans, { verb: 'revert-files', files: ['/etc/passwd'] })).toMatchObject({
    body: { schema: 'retake.receipt/1', filesReverted: [] },
  })
})
