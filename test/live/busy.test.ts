import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agent as delegate, bash, edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { idle, leave, opened, statusOf } from './opened.ts'

const session = playedOnce({
  files: { a: '1\n' },
  turns: { hello: 'hi', T1: [edit('a', '1', 'one'), 'did T1'] },
})

test('[sem.C8] a word for Retake that is typed while the agent works is refused, and the turn goes on', async () => {
  const p = await session()
  await p.s.retake('settings', 'set', 'plainUndo', 'on')
  const tui = await opened(p)
  const go = join(p.s.tmp, 'go')
  p.model.on('T2', [bash(`until [ -e ${go} ]; do sleep 0.05; done`), write('b', 'b\n'), 'did T2'])
  await tui.submit('T2')
  await tui.waitFor(/until/)
  await tui.type('undo')
  await tui.key('enter')
  await tui.waitFor(/Wait until it is done, then try again/, { timeoutMs: 60_000 })
  expect(await p.s.read('a')).toBe('one\n')
  await p.s.write(go, '')
  await tui.waitFor(/did T2/)
  expect(p.model.userTexts()).toEqual(['hello', 'T1', 'T2'])
  await idle(p)
  // Now it counts; the text stands in the box again.
  await tui.key('enter')
  await tui.waitFor(/Undone 1 turn: 1 file removed\./, { timeoutMs: 60_000 })
  await tui.key('ctrl-u')
  await leave(p, tui, 'ctrl-c')
  expect((await p.log()).map(({ prompt }) => prompt)).toEqual(['hello', 'T1', 'T2'])
  expect(await p.sent()).toEqual(['hello', 'T1'])
})

test('[sem.C8] nor does it count while an agent works on behind its turn', async () => {
  const p = await session()
  await p.s.retake('settings', 'set', 'plainUndo', 'on')
  const tui = await opened(p)
  const go = join(p.s.tmp, 'go on')
  p.model.on('sub work', [
    bash(`until [ -e '${go}' ]; do sleep 0.05; done`),
    write('s', 's\n'),
    'sub done',
  ])
  p.model.on('T2', [delegate('sub work', { background: true }), 'did T2'])
  await tui.submit('T2')
  await tui.waitFor(/did T2/)
  await p.model.seen('sub work')
  await tui.type('undo')
  await tui.key('enter')
  await tui.waitFor(/Wait until it is done, then try again/, { timeoutMs: 60_000 })
  await tui.key('ctrl-u')
  await p.s.write(go, '')
  await expect.poll(async () => p.files(), { timeout: 60_000 }).toHaveProperty('s')
  await idle(p)
  await tui.type('undo')
  await tui.key('enter')
  await tui.waitFor(/Undone 1 turn: 1 file removed\./, { timeoutMs: 60_000 })
  await tui.key('ctrl-u')
  await leave(p, tui, 'ctrl-c')
})

test('[sem.C8] a shell in the background is not a running turn: undo goes ahead and says that it still runs', async () => {
  const p = await session()
  const tui = await opened(p)
  p.model.on('T2', [bash('exec sleep 300', { background: true }), write('b', 'b\n'), 'did T2'])
  await tui.submit('T2')
  await tui.waitFor(/did T2/)
  await expect.poll(() => statusOf(p), { timeout: 60_000 }).toBe('shell')
  const running = [expect.stringMatching(/still runs in the background/)]
  expect(await p.read('undo', '--dry-run')).toMatchObject({ notCovered: running })
  expect(await p.run('undo')).toMatchObject({
    turnsUndone: 1,
    filesReverted: ['b'],
    conversation: 'pending',
    notCovered: running,
  })
  expect(await p.status()).toMatchObject({ pending: { to: { number: 2 } } })
})
