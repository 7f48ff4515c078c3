import { expect, test } from 'vitest'
import { agent as delegate, edit, read, write } from '../model/index.ts'
import { played } from './played.ts'

const two = {
  files: { a: '1\n' },
  turns: { hello: 'hi', T1: [edit('a', '1', 'one'), 'did T1'] },
} as const

test('[C8][FT13][sem.C2] an agent at work is not disturbed; an idle one lets files move, and the chat after /exit', async () => {
  await using p = await played(two)
  p.model.on('T2', [edit('a', 'one', 'eins'), { blocks: ['half'], hang: 'after' }, 'x'])
  const tui = await p.agent.interactive({ resume: p.id })
  await tui.submit('T2')
  await p.model.hanging()
  p.live = true
  for (const verb of [
    ['undo'],
    ['undo', '--only', 'files'],
    ['rewind', '1'],
    ['back'],
    ['revert', '2'],
    ['op', 'undo'],
  ])
    expect(await p.refused(...verb), verb.join(' ')).toMatchObject({
      exit: 5,
      code: 'session-busy',
    })
  p.model.release()
  await tui.waitFor(/half/)
  await p.model.seen('T2', 2)
  await tui.waitFor((screen) => !/esc to interrupt/.test(screen))
  await expect.poll(async () => (await p.status()).live, { timeout: 10_000 }).toBe('idle')

  expect(await p.refused('undo')).toMatchObject({
    exit: 5,
    code: 'session-live',
    hint: expect.stringMatching(/exit.*--only files/),
  })
  expect(await p.refused('back')).toMatchObject({ exit: 5, code: 'session-live' })
  expect(await p.run('undo', '--only', 'files')).toMatchObject({
    filesReverted: ['a'],
    conversation: 'unchanged',
  })
  expect(await p.s.read('a')).toBe('one\n')
  await tui.exit()
  p.live = false
  expect(await p.run('undo')).toMatchObject({ turnsUndone: 1, conversation: 'moved' })
  expect(await p.sent()).toEqual(['hello', 'T1'])
})

test('[B1][sem.A4] what a subagent of the screen did, also after its turn, is its turn’s', async () => {
  await using p = await played({
    ...two,
    also: { 'sub work': [read('a'), [edit('a', 'one', 'eins'), write('sub', 's\n')], 'sub done'] },
  })
  p.model.on('T2', [delegate('sub work'), 'did T2'])
  const tui = await p.agent.interactive({ resume: p.id })
  await tui.submit('T2')
  await tui.waitFor(/did T2/)
  p.live = true
  await p.model.seen('sub work', 3)
  await expect.poll(async () => p.s.read('a')).toBe('eins\n')
  await expect.poll(async () => (await p.status()).live, { timeout: 10_000 }).toBe('idle')
  await tui.exit()
  p.live = false
  const after = await p.files()
  const turn = (await p.log()).find(({ prompt }) => prompt === 'T2')!
  expect(turn.files.map(({ path, by }) => `${path} ${by}`)).toEqual(['a subagent', 'sub subagent'])
  await p.run('rewind', '--before', turn.id)
  expect(await p.s.read('a')).toBe('one\n')
  expect(await p.files()).not.toHaveProperty('sub')
  await p.run('redo', '--all')
  expect(await p.files()).toEqual(after)
})
