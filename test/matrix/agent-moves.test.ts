import { expect, test } from 'vitest'
import type { ReceiptView, SessionsView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { edit, read, write } from '../model/index.ts'
import { openRewindMenu } from '../operations/play-on-screen.ts'
import { type Played, playedOnce } from '../operations/played.ts'

// Retake finds what the agent itself did to a session in its files.

const session = playedOnce({
  files: { a: '1\n' },
  turns: {
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [write('b', 'b\n'), 'did T2'],
    T3: [edit('a', 'one', 'three'), 'did T3'],
  },
  checkpointing: true,
})

async function log(p: Played, id = p.id): Promise<string[]> {
  const { stdout } = await p.s.retake('log', '--session', id, '--json')
  const { turns } = parseView<{ turns: Awaited<ReturnType<Played['log']>> }>(stdout)
  return turns.map(({ prompt, state, filesState }) => `${prompt} ${state} ${filesState}`)
}

test('[sem.C5] the agent’s rewind of the conversation alone leaves the files of the turns it passed', async () => {
  const p = await session()
  await p.onScreen([
    ...openRewindMenu('T3', 'T2'),
    { key: 'down' },
    { see: '❯ 2\\. Restore conversation' },
    { key: 'enter' },
    { miss: 'Restore code' },
    { see: '❯ T2' },
    { clear: 'T2' },
    { submit: 'T2 again' },
    { see: '● ok' },
  ])

  await p.run('undo')
  expect(await log(p)).toEqual([
    'T1 active in',
    'T2 other in',
    'T3 other in',
    'T2 again undone out',
  ])
  expect(await p.files()).toMatchObject({ a: 'three\n', b: 'b\n' })
  expect(await p.line()).toEqual(['T1'])
  // Their files are already in: going there moves only the conversation.
  expect(await p.run('switch', 'main')).toMatchObject({ filesReverted: [], conversation: 'moved' })
  expect(await p.sent()).toEqual(['T1', 'T2', 'T3'])
})

test('[sem.C5][sem.C1] the agent’s rewind of code alone moves no head, and undo works with it', async () => {
  const p = await session()
  await p.onScreen([
    ...openRewindMenu('T3'),
    { key: 'down' },
    { key: 'down' },
    { see: '❯ 3\\. Restore code' },
    { key: 'enter' },
    { file: 'a', text: 'one\n' },
  ])

  expect(await log(p)).toEqual(['T1 active in', 'T2 active in', 'T3 active in'])
  expect(await p.run('undo')).toMatchObject({ filesReverted: [], conversation: 'moved' })
  expect(await p.files()).toMatchObject({ a: 'one\n', b: 'b\n' })
  await p.run('undo')
  expect(await p.files()).not.toHaveProperty('b')
  expect(await p.line()).toEqual(['T1'])
})

test('[sem.C5][sem.C6][W9][W10] two processes in one session make two branches of it; /branch and --fork-session make sessions that share its turns', async () => {
  const p = await session()
  p.model.on('left', [read('a'), edit('a', 'three', 'left'), 'did left'])
  p.model.on('B1', [edit('a', 'left', 'branch'), 'did B1'])
  p.model.on('right', [write('c', 'c\n'), 'did right'])
  await p.onScreen([
    { elsewhere: 'right' },
    { submit: 'left' },
    { see: 'did left' },
    { submit: '/branch' },
    { see: 'You are now in the new branch' },
    { submit: 'B1' },
    { see: 'did B1' },
  ])
  // The screen continued from its memory, which did not have the turn of the other process.
  const left = p.model.requests.findLastIndex(({ prompt }) => prompt === 'left')
  expect(p.model.userTexts(left)).toEqual(['T1', 'T2', 'T3', 'left'])
  const fork = await p.agent.prompt('F1', {
    resume: p.id,
    args: ['--fork-session'],
    recorded: true,
  })
  expect(p.model.userTexts()).toEqual(['T1', 'T2', 'T3', 'left', 'F1'])

  const turns = await p.log()
  expect(turns.map(({ prompt, state }) => `${prompt} ${state}`)).toEqual([
    'T1 active',
    'T2 active',
    'T3 active',
    'right other',
    'left active',
  ])
  const { stdout } = await p.s.retake('sessions', '--json')
  const { sessions } = parseView<SessionsView>(stdout)
  const last = turns.at(-1)!.id
  const branch = sessions.find(({ title }) => title === 'T1 (Branch)')!
  expect(branch).toMatchObject({ turns: 5, parent: { session: p.id, turn: last } })
  expect(sessions.find(({ id }) => id === fork.sessionId)).toMatchObject({
    turns: 5,
    parent: { session: p.id, turn: last },
  })
  expect(await log(p, branch.id)).toEqual([
    'T1 active in',
    'T2 active in',
    'T3 active in',
    'left active in',
    'B1 active in',
  ])

  // There is one tree on disk, so an undo in a fork applies to the first session too.
  const undone = await p.s.retake('undo', '2', '--session', branch.id, '--json')
  expect(parseView<ReceiptView>(undone.stdout)).toMatchObject({ turnsUndone: 2 })
  expect(await p.s.read('a')).toBe('three\n')
  expect((await p.status()).differing).toMatchObject([{ number: 4, files: 'out' }])
  await p.run('redo', '--only', 'files')
  expect(await p.s.read('a')).toBe('left\n')

  expect(await p.run('switch', turns[3]!.branch)).toMatchObject({ filesReverted: ['a'] })
  expect(await p.sent()).toEqual(['T1', 'T2', 'T3', 'right'])
  expect(await p.files()).toMatchObject({ a: 'three\n', c: 'c\n' })
})
