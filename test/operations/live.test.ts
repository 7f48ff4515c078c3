import { expect, test } from 'vitest'
import { agent as delegate, edit, read, write } from '../model/index.ts'
import { played } from './played.ts'

test('[C8][FT13][B1][sem.A4][sem.C2] a working agent is not disturbed; under an idle one files move, and the chat after /exit; its subagent’s changes are its turn’s', async () => {
  await using p = await played({
    files: { a: '1\n', b: '1\n' },
    turns: { hello: 'hi', T1: [edit('a', '1', 'one'), 'did T1'] },
  })
  p.model.on('delegate', [delegate('sub work'), 'did delegate'])
  p.model.on('sub work', [read('b'), [edit('b', '1', 'eins'), write('sub', 's\n')], 'sub done'])
  p.model.on('T2', [edit('a', 'one', 'eins'), { blocks: ['half'], hang: 'after' }, 'x'])
  const tui = await p.agent.interactive({ resume: p.id })
  await tui.submit('delegate')
  await tui.waitFor(/did delegate/)
  await p.model.seen('sub work', 3)
  await expect.poll(async () => p.s.read('b')).toBe('eins\n')
  await tui.waitFor((screen) => !/esc to interrupt/.test(screen))
  await tui.submit('T2')
  await p.model.hanging()
  p.live = true
  for (const verb of [
    ['undo'],
    ['undo', '--only', 'files'],
    ['rewind', '1'],
    ['back'],
    ['revert', '3'],
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
  await expect.poll(async () => (await p.status()).live, { timeout: 60_000 }).toBe('idle')

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

  const after = await p.files()
  const turn = (await p.log()).find(({ prompt }) => prompt === 'delegate')!
  expect(turn.files.map(({ path, by }) => `${path} ${by}`)).toEqual(['b subagent', 'sub subagent'])
  await p.run('rewind', '--before', turn.id)
  expect(await p.s.read('b')).toBe('1\n')
  expect(await p.files()).not.toHaveProperty('sub')
  expect(await p.sent()).toEqual(['hello', 'T1'])
  await p.run('rewind', turn.id)
  expect(await p.files()).toEqual(after)
})
