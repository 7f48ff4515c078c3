import { expect, test } from 'vitest'
import type { LogView, OperationView } from '#protocol'
import { edit, read, write } from '../model/index.ts'
import { type Played, playedOnce } from './played.ts'

const lines = (...each: string[]): string => `${each.join('\n')}\n`
const three = {
  files: { a: lines('1', 'a', '2', 'b', '3'), 'tool.sh': { text: 'old\n', mode: '755' } },
  turns: {
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [[edit('a', '2', 'two'), write('dir/b', 'b\n'), edit('tool.sh', 'old', 'new')], 'did T2'],
    T3: [edit('a', '3', 'three'), 'did T3'],
  },
} as const
const session = playedOnce(three)

async function operations(p: Played): Promise<OperationView[]> {
  return (await p.read<{ operations: OperationView[] }>('op', 'log')).operations
}

/** Files, head, and where every turn's files are: everything that an operation moves. */
async function whole(p: Played): Promise<object> {
  const { head, turns } = await p.read<LogView>('log')
  const states = turns.map(({ state, filesState }) => `${state} ${filesState}`)
  return { files: await p.files(), head: head?.number ?? null, states }
}

test('[U9][I3][sem.O2] op undo of every kind restores files, head and turns byte for byte', async () => {
  const p = await session()
  const before = await whole(p)
  for (const verb of [
    ['undo'],
    ['undo', '3'],
    ['undo', '3', '--whole'],
    ['back'],
    ['undo', '2', '--only', 'files'],
    ['rewind', '0', '--only', 'files'],
    ['rewind', '--before', '2'],
    ['revert', '2'],
    ['restore', 'a', 'dir/b', '--at', '0'],
  ]) {
    expect(await p.run(...verb)).not.toMatchObject({ operation: null })
    expect(await p.run('op', 'undo')).toMatchObject({ verb: 'op-undo' })
    expect(await whole(p), verb.join(' ')).toEqual(before)
  }
  expect(await p.sent()).toEqual(['T1', 'T2', 'T3'])
  const log = await operations(p)
  expect(log.map(({ state }) => state)).toEqual(
    log.map((_, i) => (i % 2 === 0 ? 'done' : 'undone')),
  )
})

test('[U9][I3][sem.O2] so does op undo of redo, rewind, revert off, and from an emptied conversation', async () => {
  const p = await session()
  await p.run('revert', '2')
  await p.run('undo', '2')
  const before = await whole(p)
  for (const verb of [
    ['redo'],
    ['redo', '--all'],
    ['rewind', '3'],
    ['revert', '2', '--off'],
    ['redo', '--only', 'chat'],
    ['undo'],
  ]) {
    expect(await p.run(...verb)).not.toMatchObject({ operation: null })
    await p.run('op', 'undo')
    expect(await whole(p), verb.join(' ')).toEqual(before)
  }
  await p.run('undo', '--whole')
  const empty = await whole(p)
  expect(empty).toMatchObject({ head: null })
  await p.run('redo', '2')
  expect(await p.line()).toEqual(['T1', 'T2'])
  await p.run('op', 'undo')
  expect(await whole(p)).toEqual(empty)
  expect(await p.line()).toEqual([])
})

test('[sem.O3] an older operation is refused while later ones depend on it, and they are listed', async () => {
  const p = await session()
  const start = await whole(p)
  await p.run('undo')
  const second = await whole(p)
  await p.run('undo')
  expect(await p.refused('op', 'undo', '1')).toMatchObject({
    code: 'operation-has-followers',
    message: expect.stringMatching(/\(2\)/),
  })
  // Twice goes back twice; the third time there is nothing left.
  await p.run('op', 'undo')
  expect(await whole(p)).toEqual(second)
  await p.run('op', 'undo')
  expect(await whole(p)).toEqual(start)
  expect(await p.run('op', 'undo')).toMatchObject({ operation: null })
  expect(await p.refused('op', 'undo', '1')).toMatchObject({ code: 'operation-undone' })

  // Undoing the op undos is the redo, newest first.
  expect((await operations(p)).map(({ id, inverts }) => [id, inverts])).toEqual([
    [4, 1],
    [3, 2],
    [2, null],
    [1, null],
  ])
  await p.run('op', 'undo', '4')
  expect(await whole(p)).toEqual(second)
  await p.run('op', 'undo', '3')
  expect((await p.status()).head).toMatchObject({ number: 1 })
  expect(await p.line()).toEqual(['T1'])
})

test('[sem.O2] op undo keeps later edits, and leaves a conversation that continued', async () => {
  const p = await session()
  await p.run('undo')
  await p.s.write('a', lines('one', 'a', 'two', 'mine', '3'))
  expect(await p.refused('op', 'undo')).toMatchObject({ exit: 4, code: 'conflict' })
  await p.s.write('a', lines('one', 'mine', 'two', 'b', '3'))
  await p.run('op', 'undo')
  expect(await p.s.read('a')).toBe(lines('one', 'mine', 'two', 'b', 'three'))

  await p.run('undo')
  await p.say('T3 again', [read('tool.sh'), edit('tool.sh', 'new', 'newer'), 'done'])
  // Both or neither (sem.C2): the newer prompts would be hidden.
  expect(await p.refused('op', 'undo')).toMatchObject({ code: 'conversation-went-on' })
  const receipt = await p.run('op', 'undo', '--only', 'files')
  expect(receipt).toMatchObject({ conversation: 'unchanged', filesReverted: ['a'] })
  expect(await p.s.read('a')).toBe(lines('one', 'mine', 'two', 'b', 'three'))
  expect(await p.line()).toEqual(['T1', 'T2', 'T3 again'])
})

test('[U4] op show and op log list what was done; where and diff show the contents', async () => {
  const p = await session()
  const receipt = await p.run('undo', '2')
  const shown = await p.read<{ operation: OperationView }>('op', 'show', '1')
  expect(shown.operation).toMatchObject({ id: 1, verb: 'undo', state: 'done', turns: 2, receipt })
  expect(shown.operation.files.map(({ path, outcome }) => `${path} ${outcome}`)).toEqual([
    'a applied',
    'dir/b applied',
    'tool.sh applied',
  ])
  const { contents } = await p.read<{
    contents: { id: string; isNow: boolean; stood: string[] }[]
  }>('where', 'dir/b')
  expect(contents).toHaveLength(1)
  const { stdout } = await p.s.retake('where', 'dir/b', '--content', contents[0]!.id.slice(0, 10))
  expect(stdout).toBe('b\n')
  const diff = await p.read<{
    files: { path: string; hunks: { lines: { change: string; text: string }[] }[] }[]
  }>('diff', '1..3')
  const changes = diff.files.map(({ path, hunks }) => [
    path,
    ...hunks.flatMap((hunk) =>
      hunk.lines
        .filter(({ change }) => change !== 'same')
        .map(({ change, text }) => `${change} ${text}`),
    ),
  ])
  expect(changes).toEqual([
    ['a', 'removed 2', 'added two', 'removed 3', 'added three'],
    ['dir/b', 'added b'],
    ['tool.sh', 'removed old', 'added new'],
  ])
  expect(await p.read('check', '--read-data')).toMatchObject({ database: [], contents: [] })
})
