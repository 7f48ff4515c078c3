import { expect, test } from 'vitest'
import type { TreeView } from '#protocol'
import { edit, read, write } from '../model/index.ts'
import { playedOnce } from './played.ts'

const threeTurns = {
  files: { 'a.txt': 'one\n1\ntwo\n2\nthree\n', 'mine.txt': 'mine\n' },
  turns: {
    T1: [edit('a.txt', 'one', 'ONE'), 'did T1'],
    T2: [[write('b.txt', 'b\n'), edit('a.txt', 'two', 'TWO')], 'did T2'],
    T3: [edit('a.txt', 'three', 'THREE'), 'did T3'],
  },
} as const
const session = playedOnce(threeTurns)
const rest = { '.staged': 'staged\nmore\n', '.untracked': 'untracked\n', 'mine.txt': 'mine\n' }
const states = [
  { ...rest, 'a.txt': 'one\n1\ntwo\n2\nthree\n' },
  { ...rest, 'a.txt': 'ONE\n1\ntwo\n2\nthree\n' },
  { ...rest, 'a.txt': 'ONE\n1\nTWO\n2\nthree\n', 'b.txt': 'b\n' },
  { ...rest, 'a.txt': 'ONE\n1\nTWO\n2\nTHREE\n', 'b.txt': 'b\n' },
]

test('[U1][U4][U6][G2][G8][B2][W3][W6] undo, undo, redo, redo: the real agent resumes exactly the kept turns', async () => {
  const p = await session()
  const { 0: t1, 1: t2, 2: t3 } = await p.log()
  expect(await p.files()).toEqual(states[3])

  expect(await p.run('undo')).toMatchObject({
    verb: 'undo',
    from: { id: t3!.id, number: 3 },
    to: { id: t2!.id, number: 2 },
    turnsUndone: 1,
    turnsRedone: 0,
    messagesRemoved: 3,
    filesReverted: ['a.txt'],
    filesKept: [],
    conversation: 'moved',
    notCovered: [],
    prompt: 'T3',
  })
  expect(await p.files()).toEqual(states[2])
  expect(await p.line()).toEqual(['T1', 'T2'])

  expect(await p.run('undo')).toMatchObject({
    to: { id: t1!.id, number: 1 },
    turnsUndone: 1,
    filesReverted: ['a.txt', 'b.txt'],
    prompt: 'T2',
  })
  expect(await p.files()).toEqual(states[1])
  expect(await p.sent()).toEqual(['T1'])
  // Not only the prompts: no answer, call or result of the undone turns is left.
  expect(p.model.conversation()).toEqual([
    'user: T1',
    'assistant: use Edit a.txt',
    'user: result The file a.txt has been updated successfully.',
    'assistant: did T1',
    'user: probe',
  ])

  expect(await p.run('redo')).toMatchObject({ turnsRedone: 1, filesReverted: ['a.txt', 'b.txt'] })
  expect(await p.files()).toEqual(states[2])
  expect(await p.line()).toEqual(['T1', 'T2'])

  expect(await p.run('redo')).toMatchObject({ turnsRedone: 1, messagesRemoved: 0 })
  expect(await p.files()).toEqual(states[3])
  expect(await p.sent()).toEqual(['T1', 'T2', 'T3'])
})

test('[U9][B2][W2][W3][sem.V6] rewind, revert and op undo: the real agent resumes at the right turn', async () => {
  const p = await session()

  expect(await p.run('rewind', '1')).toMatchObject({ turnsUndone: 2, messagesRemoved: 6 })
  expect(await p.files()).toEqual(states[1])
  expect(await p.line()).toEqual(['T1'])

  expect(await p.run('rewind', '2')).toMatchObject({ turnsUndone: 0, conversation: 'moved' })
  expect(await p.files()).toEqual(states[2])
  expect(await p.line()).toEqual(['T1', 'T2'])

  expect(await p.run('op', 'undo')).toMatchObject({ verb: 'op-undo', conversation: 'moved' })
  expect(await p.files()).toEqual(states[1])
  expect(await p.sent()).toEqual(['T1'])

  expect(await p.run('redo', '--all')).toMatchObject({ turnsRedone: 2 })
  expect(await p.files()).toEqual(states[3])

  expect(await p.run('revert', '2')).toMatchObject({
    conversation: 'unchanged',
    filesReverted: ['a.txt', 'b.txt'],
  })
  expect(await p.files()).toEqual({ ...rest, 'a.txt': 'ONE\n1\ntwo\n2\nTHREE\n' })
  expect(await p.line()).toEqual(['T1', 'T2', 'T3'])
})

test('[G2][G8][W2][W6][B4][sem.C6] the screen of `claude --resume` shows the shortened conversation; a prompt there forks, and the undone turns stay as a branch', async () => {
  const p = await session()
  const [, t2] = await p.log()
  await p.run('undo', '2')
  const before = await p.transcript()

  const tui = await p.agent.interactive({ resume: p.id })
  await tui.waitFor(/did T1/)
  expect(tui.screen()).not.toMatch(/T2|T3/)
  expect(await p.transcript()).toEqual(before)
  p.model.on('T2 again', [read('a.txt'), edit('a.txt', 'two', 'zwei'), 'did it again'])
  await tui.submit('T2 again')
  await tui.waitFor(/did it again/)
  await tui.exit()
  expect(p.model.userTexts()).toEqual(['T1', 'T2 again'])
  const forked = { ...rest, 'a.txt': 'ONE\n1\nzwei\n2\nthree\n' }
  expect(await p.files()).toEqual(forked)

  const tree = await p.read<TreeView>('tree')
  const prompts = (line: TreeView['branches'][number]) => line.turns.map(({ prompt }) => prompt)
  const [old, current] = [false, true].map((is) => tree.branches.find((b) => b.current === is)!)
  expect(prompts(current!).at(-1)).toBe('T2 again')
  expect(prompts(old!).slice(-2)).toEqual(['T2', 'T3'])
  expect(tree.branches).toHaveLength(2)

  const nothing = await p.run('redo')
  expect(nothing).toMatchObject({ operation: null, turnsRedone: 0 })
  expect(nothing.nothing).toMatch(/retake switch/)
  expect(await p.line()).toEqual(['T1', 'T2 again'])

  expect(await p.run('undo')).toMatchObject({ turnsUndone: 1, prompt: 'T2 again' })
  expect(await p.files()).toEqual(states[1])
  expect(await p.line()).toEqual(['T1'])
  expect(await p.run('redo')).toMatchObject({ turnsRedone: 1 })
  expect(await p.files()).toEqual(forked)
  expect(await p.sent()).toEqual(['T1', 'T2 again'])
  const undone = (await p.log()).find(({ id }) => id === t2!.id)
  expect(undone).toMatchObject({ state: 'other', filesState: 'out' })
})
