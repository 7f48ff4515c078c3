import { expect, test } from 'vitest'
import type { LogView, PlanView, TreeView } from '#protocol'
import { edit, write } from '../model/index.ts'
import { type Played, playedOnce } from '../operations/played.ts'

const lines = (...each: string[]): string => `${each.join('\n')}\n`
const session = playedOnce({
  files: { a: lines('1', 'a', '2', 'b', '3', 'c', '4', 'd', '5'), keep: 'k\n' },
  turns: {
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [[edit('a', '2', 'two'), write('dir/b', 'b\n')], 'did T2'],
    T3: [edit('a', '3', 'three'), 'did T3'],
  },
  async after(p) {
    await p.run('undo', '2')
    await p.sayAll({
      U2: [[edit('a', '4', 'four'), write('u', 'u\n')], 'did U2'],
      U3: [edit('a', '5', 'five'), 'did U3'],
    })
  },
})

/** Files, head and line: everything that a switch moves. */
async function whole(p: Played): Promise<object> {
  const { head, turns } = await p.read<LogView>('log')
  const line = turns.filter(({ number }) => number !== null).map(({ prompt }) => prompt)
  return { files: await p.files(), head, line, state: await branchOf(p) }
}

const branchOf = async (p: Played): Promise<string | undefined> => (await p.status()).branch?.label

/** The id of the branch that has this as its first own prompt. */
async function idOf(p: Played, prompt: string): Promise<string> {
  const { branches } = await p.read<TreeView>('tree')
  return branches.find(({ turns }) => turns[0]!.prompt === prompt)!.id
}

test('[B4][B6][W6][sem.X3][sem.C6] switching back and forth between branches, nested ones too, restores files and conversation exactly', async () => {
  const p = await session()
  const u = await idOf(p, 'U2')
  const onU = await whole(p)
  expect(onU).toMatchObject({ line: ['T1', 'U2', 'U3'], state: u.slice(0, 8) })

  const there = await p.run('switch', 'main')
  expect(there).toMatchObject({
    verb: 'switch',
    branches: [{ id: p.id, label: 'main' }],
    to: { number: 3 },
    turnsUndone: 2,
    turnsRedone: 2,
    filesReverted: ['a', 'dir/b', 'u'],
    conversation: 'moved',
  })
  expect(await p.files()).toMatchObject({ 'dir/b': 'b\n', keep: 'k\n' })
  expect(await p.s.read('a')).toBe(lines('one', 'a', 'two', 'b', 'three', 'c', '4', 'd', '5'))
  expect(await p.sent()).toEqual(['T1', 'T2', 'T3'])
  const onMain = await whole(p)
  expect(onMain).toMatchObject({ line: ['T1', 'T2', 'T3'], state: 'main' })

  await p.run('switch', u.slice(0, 6))
  expect(await whole(p)).toEqual(onU)

  // A branch of the branch.
  await p.run('undo')
  await p.say('N3', [edit('a', '5', 'fünf'), 'did N3'])
  const n = await idOf(p, 'N3')
  const onN = await whole(p)
  expect(onN).toMatchObject({ line: ['T1', 'U2', 'N3'] })
  for (const [name, state] of [
    [p.id, onMain],
    [u, onU],
    [n, onN],
    [u, onU],
    ['main', onMain],
    [n, onN],
  ] as const) {
    await p.run('switch', name)
    expect(await whole(p)).toEqual(state)
  }
  expect(await p.sent()).toEqual(['T1', 'U2', 'N3'])
  await p.run('switch', 'main')
  expect(await p.run('switch', 'main')).toMatchObject({ operation: null })

  // To a turn in the middle; redo follows that branch, even if another one is newer.
  expect(await p.run('switch', u, '--turn', '2')).toMatchObject({ to: { number: 2 } })
  expect(await p.line()).toEqual(['T1', 'U2'])
  expect(await p.run('redo', '--all')).toMatchObject({ turnsRedone: 1 })
  expect(await whole(p)).toEqual(onU)
  // At the fork itself, the line that redo follows can be chosen.
  await p.run('switch', u, '--turn', '2')
  expect(await p.run('switch', n, '--turn', '2')).toMatchObject({ conversation: 'unchanged' })
  await p.run('redo')
  expect(await whole(p)).toEqual(onN)

  // The conversation continues from the target of the switch.
  await p.run('switch', 'main', '--turn', '2')
  await p.say('V3', ['did V3'])
  expect(p.model.userTexts()).toEqual(['T1', 'T2', 'V3'])
})

test('[sem.O2][sem.O3] op undo of a switch restores branch, head, files and redo', async () => {
  const p = await session()
  const before = await whole(p)
  await p.run('switch', 'main', '--turn', '2')
  await p.run('op', 'undo')
  expect(await whole(p)).toEqual(before)
  expect((await p.run('redo')).nothing).toMatch(/retake switch/)

  await p.run('switch', 'main', '--turn', '2')
  const middle = await whole(p)
  await p.run('redo')
  expect(await p.refused('op', 'undo', '4')).toMatchObject({ code: 'operation-has-followers' })
  await p.run('op', 'undo')
  expect(await whole(p)).toEqual(middle)
  await p.run('op', 'undo')
  expect(await whole(p)).toEqual(before)
})

test('[B6][B10][U3] a switch keeps people’s edits; if they touch the turn’s lines, nothing happens', async () => {
  const p = await session()
  await p.s.write('a', lines('one', 'a', '2', 'mine', '3', 'c', 'four', 'd', 'five'))
  await p.s.write('own', 'mine\n')
  const plan = await p.read<PlanView>('switch', 'main', '--dry-run')
  expect(plan).toMatchObject({
    verb: 'switch',
    turns: 4,
    conversation: 'move',
    files: [
      { path: 'a', verb: 'conflict' },
      { path: 'dir/b', verb: 'create' },
      { path: 'u', verb: 'delete' },
    ],
  })
  expect(await p.refused('switch', 'main')).toMatchObject({ code: 'conflict', exit: 4 })
  await p.s.write('a', lines('one, mine', 'a', '2', 'b', '3', 'c', 'four', 'd', 'five'))
  await p.run('switch', 'main')
  expect(await p.s.read('a')).toBe(lines('one, mine', 'a', 'two', 'b', 'three', 'c', '4', 'd', '5'))
  expect(await p.s.read('own')).toBe('mine\n')
})

test('[F1][sem.C1] files and conversation can switch to a branch separately', async () => {
  const p = await session()
  const onU = await p.files()
  await p.run('switch', 'main', '--only', 'chat')
  expect(await p.files()).toEqual(onU)
  expect(await p.line()).toEqual(['T1', 'T2', 'T3'])
  expect((await p.status()).differing.map(({ number }) => number)).toEqual([2, 3])
  expect(await p.run('switch', 'main')).toMatchObject({
    conversation: 'unchanged',
    filesReverted: ['a', 'dir/b', 'u'],
  })
  expect((await p.status()).differing).toEqual([])
  const u = await idOf(p, 'U2')
  await p.run('switch', u, '--only', 'files')
  expect(await p.files()).toEqual(onU)
  expect(await branchOf(p)).toBe('main')
  await p.run('switch', u, '--only', 'chat')
  expect(await p.sent()).toEqual(['T1', 'U2', 'U3'])
  expect((await p.status()).differing).toEqual([])
})

test('an unknown branch, or a turn that is not on it, is not found', async () => {
  const p = await session()
  expect(await p.refused('switch', 'nowhere')).toMatchObject({ code: 'branch-not-found', exit: 6 })
  expect(await p.refused('switch', 'main', '--turn', '9')).toMatchObject({
    code: 'turn-not-found',
    exit: 6,
  })
})
