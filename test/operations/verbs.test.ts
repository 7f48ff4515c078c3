import { expect, test } from 'vitest'
import type { PlanView } from '#protocol'
import { edit, write } from '../model/index.ts'
import { type Played, playedOnce } from './played.ts'

const fourTurns = {
  files: { a: '1\na\n2\nb\n3\nc\n4\n', keep: 'k\n' },
  turns: {
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [[edit('a', '2', 'two'), write('b', 'b\n')], 'did T2'],
    T3: [edit('a', '3', 'three'), 'did T3'],
    T4: [edit('a', '4', 'four'), 'did T4'],
  },
} as const
const session = playedOnce(fourTurns)

/** The turns whose text is in `a`, and whether `b` exists. */
async function standing(p: Played): Promise<string> {
  const a = await p.s.read('a')
  const words = ['one', 'two', 'three', 'four'].filter((word) => a.includes(word))
  return [...words, ...('b' in (await p.files()) ? ['b'] : [])].join(' ')
}

test('[F1][C1][sem.C1] files and conversation can move separately, and status and log show the difference', async () => {
  const p = await session()

  expect(await p.run('undo', '2', '--only', 'files')).toMatchObject({
    conversation: 'unchanged',
    filesReverted: ['a'],
  })
  expect(await standing(p)).toBe('one two b')
  expect(await p.line()).toEqual(['T1', 'T2', 'T3', 'T4'])
  expect(await p.status()).toMatchObject({
    head: { number: 4 },
    undone: 0,
    differing: [
      { number: 3, files: 'out' },
      { number: 4, files: 'out' },
    ],
  })
  expect((await p.log()).map(({ state, filesState }) => `${state} ${filesState}`)).toEqual([
    'active in',
    'active in',
    'active out',
    'active out',
  ])
  // The files have their own position, from which they continue or come back.
  expect(await p.run('undo', '--only', 'files')).toMatchObject({ filesReverted: ['a', 'b'] })
  expect(await p.run('rewind', '2', '--only', 'files')).toMatchObject({ filesReverted: ['a', 'b'] })
  expect(await p.run('rewind', '2', '--only', 'files')).toMatchObject({ operation: null })
  expect(await p.run('redo', '--only', 'files')).toMatchObject({ turnsRedone: 1 })
  expect(await standing(p)).toBe('one two three b')
  expect(await p.run('op', 'undo')).toMatchObject({ conversation: 'unchanged' })
  expect(await standing(p)).toBe('one two b')

  // The conversation can follow.
  expect(await p.run('undo', '2', '--only', 'chat')).toMatchObject({
    conversation: 'moved',
    filesReverted: [],
    turnsUndone: 2,
  })
  expect(await p.line()).toEqual(['T1', 'T2'])
  expect(await p.status()).toMatchObject({ head: { number: 2 }, undone: 2, differing: [] })

  // And back, both together.
  expect(await p.run('redo', '--all')).toMatchObject({ turnsRedone: 2, conversation: 'moved' })
  expect(await standing(p)).toBe('one two three four b')

  // A command refuses to move only the half that it never moves.
  for (const wrong of [
    ['restore', 'a', '--at', '1', '--only', 'chat'],
    ['rewind', '1', '--exact', '--only', 'chat'],
    ['back', '--only', 'files'],
  ])
    expect(await p.refused(...wrong)).toMatchObject({ code: 'usage', exit: 2 })

  // A rewind to the conversation's turn brings the files there too.
  await p.run('rewind', '1', '--only', 'files')
  expect(await p.run('rewind', '4')).toMatchObject({ conversation: 'unchanged', turnsRedone: 3 })
  expect(await standing(p)).toBe('one two three four b')
})

test('[G3][W16] back removes one round of conversation and no file, down to the first turn', async () => {
  const p = await session()
  const whole = await p.files()
  await p.run('rewind', '3')
  const three = await p.files()

  expect(await p.run('back')).toMatchObject({ turnsUndone: 1, conversation: 'moved', prompt: 'T3' })
  expect(await p.run('back')).toMatchObject({ turnsUndone: 1, to: { number: 1 }, prompt: 'T2' })
  expect(await p.sent()).toEqual(['T1'])
  expect(await p.files()).toEqual(three)
  expect(await p.status()).toMatchObject({
    head: { number: 1 },
    undone: 3,
    differing: [
      { number: 2, files: 'in' },
      { number: 3, files: 'in' },
    ],
  })
  expect(await p.refused('back')).toMatchObject({ code: 'already-at-start', exit: 1 })

  // Redo of turns whose files never left: only what is out comes in.
  expect(await p.run('redo', '3')).toMatchObject({ turnsRedone: 3, filesReverted: ['a'] })
  expect(await p.files()).toEqual(whole)
  expect(await p.line()).toEqual(['T1', 'T2', 'T3', 'T4'])
})

test('[U5][F9][sem.C9] undo of more turns than there are: the files go to before the first turn, the conversation keeps it', async () => {
  const p = await session()
  const whole = await p.files()
  expect(await p.run('undo', '9')).toMatchObject({
    turnsUndone: 4,
    to: { number: 1 },
    filesReverted: ['a', 'b'],
    conversation: 'moved',
  })
  expect(await standing(p)).toBe('')
  expect(await p.line()).toEqual(['T1'])
  const again = await p.run('undo')
  expect(again).toMatchObject({ operation: null, turnsUndone: 0, conversation: 'unchanged' })
  expect(again.nothing).toMatch(/Nothing to undo/)
  expect(await p.run('redo')).toMatchObject({ filesReverted: ['a'], conversation: 'unchanged' })
  expect(await standing(p)).toBe('one')

  // At the first turn: its files go, and nothing else.
  expect(await p.run('undo')).toMatchObject({
    turnsUndone: 1,
    conversation: 'unchanged',
    messagesRemoved: 0,
    filesReverted: ['a'],
  })
  expect(await p.status()).toMatchObject({
    head: { number: 1 },
    differing: [{ number: 1, files: 'out' }],
  })
  expect(await p.run('redo', '--all')).toMatchObject({ turnsRedone: 4 })
  expect(await p.files()).toEqual(whole)
})

test('[U5][F9] --whole empties the conversation, and redo brings everything back', async () => {
  const p = await session()
  const whole = await p.files()
  expect(await p.run('undo', '4', '--whole')).toMatchObject({
    turnsUndone: 4,
    to: null,
    conversation: 'moved',
  })
  expect(await standing(p)).toBe('')
  expect(await p.sent()).toEqual([])
  expect(await p.status()).toMatchObject({ head: null, undone: 4, differing: [] })
  expect(await p.run('undo')).toMatchObject({ operation: null })
  expect(await p.run('redo', '4')).toMatchObject({ turnsRedone: 4, conversation: 'moved' })
  expect(await p.files()).toEqual(whole)
  expect(await p.sent()).toEqual(['T1', 'T2', 'T3', 'T4'])

  // Step by step too: the first turn last.
  await p.run('undo', '3')
  await p.run('undo', '--whole')
  expect(await p.line()).toEqual([])
  expect(await p.run('redo')).toMatchObject({ turnsRedone: 1, to: { number: 1 } })
  expect(await standing(p)).toBe('one')
  expect(await p.line()).toEqual(['T1'])
})

test('[B2][F1][F9][W2][W3][sem.V6] rewind to a turn, to before one, to the start, and forward', async () => {
  const p = await session()
  const whole = await p.files()
  const { 2: t3 } = await p.log()

  const plan = await p.read<PlanView>('rewind', '--before', t3!.id.slice(0, 8), '--dry-run')
  expect(plan).toMatchObject({
    verb: 'rewind',
    to: { number: 2 },
    turns: 2,
    target: { prompt: 'T3' },
  })
  expect(await p.run('rewind', '--before', t3!.id.slice(0, 8))).toMatchObject({
    turnsUndone: 2,
    to: { number: 2 },
    prompt: 'T3',
  })
  expect(await standing(p)).toBe('one two b')
  expect(await p.run('rewind', '4')).toMatchObject({ turnsRedone: 2, to: { number: 4 } })
  expect(await p.files()).toEqual(whole)
  expect(await p.run('rewind', '4')).toMatchObject({ operation: null, turnsUndone: 0 })

  const { stdout } = await p.s.retake('rewind', '0', '--dry-run', '--session', p.id)
  expect(stdout).toMatch(/^Go back before turn 1, 4 turns/)
  expect(await p.run('rewind', '0')).toMatchObject({ to: { number: 1 }, turnsUndone: 4 })
  expect(await standing(p)).toBe('')
  expect(await p.run('rewind', '--before', '1')).toMatchObject({ operation: null })
  expect(await p.run('rewind', '1')).toMatchObject({
    filesReverted: ['a'],
    conversation: 'unchanged',
  })
  expect(await standing(p)).toBe('one')
  expect(await p.run('rewind', '3', '--only', 'chat')).toMatchObject({
    conversation: 'moved',
    filesReverted: [],
  })
  expect(await p.sent()).toEqual(['T1', 'T2', 'T3'])
  expect(await standing(p)).toBe('one')
})

test('[B1][sem.V7] revert removes one turn’s changes for good, and --off brings them back', async () => {
  const p = await session()
  const whole = await p.files()
  expect(await p.run('revert', '2')).toMatchObject({
    verb: 'revert',
    filesReverted: ['a', 'b'],
    turnsUndone: 0,
    conversation: 'unchanged',
  })
  expect(await standing(p)).toBe('one three four')
  expect((await p.log())[1]).toMatchObject({ state: 'active', filesState: 'reverted' })
  expect(await p.run('revert', '2')).toMatchObject({ operation: null })

  // Undo and redo pass it and leave it out (sem example 8).
  await p.run('undo', '3')
  expect(await standing(p)).toBe('one')
  await p.run('redo', '--all')
  expect(await standing(p)).toBe('one three four')
  expect(await p.run('revert', '2', '--off')).toMatchObject({ filesReverted: ['a', 'b'] })
  expect(await p.files()).toEqual(whole)
  expect(await p.run('revert', '2', '--off')).toMatchObject({ operation: null })
})

test('[F1][F9] restore gives single files the content after a turn, or before the first', async () => {
  const p = await session()
  const whole = await p.files()
  expect(await p.run('restore', 'a', '--at', '2')).toMatchObject({
    verb: 'restore',
    filesReverted: ['a'],
    conversation: 'unchanged',
  })
  expect(await standing(p)).toBe('one two b')
  expect(await p.run('restore', 'a', '--at', '2')).toMatchObject({ operation: null })
  expect(await p.run('restore', 'a', 'b', '--at', '0')).toMatchObject({ filesReverted: ['a', 'b'] })
  expect(await standing(p)).toBe('')
  expect(await p.run('restore', 'a', 'b', '--at', '4')).toMatchObject({ filesReverted: ['a', 'b'] })
  expect(await p.files()).toEqual(whole)
  await p.s.write('a', 'mine\n')
  await p.run('restore', 'a', '--at', '4')
  expect(await p.files()).toEqual(whole)
  await p.run('op', 'undo')
  expect(await p.s.read('a')).toBe('mine\n')
  expect(await p.refused('restore', 'keep', '--at', '1')).toMatchObject({ code: 'path-not-known' })
  expect(await p.refused('restore', '../x', '--at', '1')).toMatchObject({ code: 'outside-project' })
})

test('[sem.O1][U5] a retry cannot undo twice, and wrong arguments change nothing', async () => {
  const p = await session()
  const [, , t3, t4] = await p.log()
  await p.run('undo', '--expect-head', t4!.id)
  expect(await p.refused('undo', '--expect-head', t4!.id)).toMatchObject({
    code: 'head-moved',
    exit: 1,
  })
  expect(await p.status()).toMatchObject({ head: { id: t3!.id } })

  expect(await p.refused('undo', '0')).toMatchObject({ code: 'usage', exit: 2 })
  expect(await p.refused('undo', '-3')).toMatchObject({ code: 'usage', exit: 2 })
  expect(await p.refused('undo', 'x')).toMatchObject({ code: 'usage', exit: 2 })
  expect(await p.refused('rewind', '9')).toMatchObject({ code: 'turn-not-found', exit: 6 })
  expect(await p.refused('revert', '0')).toMatchObject({ code: 'turn-not-found', exit: 6 })
  expect(await p.refused('rewind')).toMatchObject({ code: 'usage', exit: 2 })
  expect(await p.refused('op', 'undo', '7')).toMatchObject({ code: 'operation-not-found', exit: 6 })
  expect(await p.refused('op', 'show', '7')).toMatchObject({ code: 'operation-not-found', exit: 6 })
  expect(await p.refused('diff', '1')).toMatchObject({ code: 'usage', exit: 2 })
})
