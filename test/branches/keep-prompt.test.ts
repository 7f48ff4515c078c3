import { expect, test } from 'vitest'
import type { LogView, PlanView, TreeView } from '#protocol'
import { edit } from '../model/index.ts'
import { type Played, playedOnce } from '../operations/played.ts'

const lines = (...each: string[]): string => `${each.join('\n')}\n`
const session = playedOnce({
  files: { a: lines('1', 'a', '2', 'b', '3', 'c', '4') },
  turns: {
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [edit('a', '2', 'two'), 'did T2'],
    T3: [edit('a', '3', 'three'), 'did T3'],
  },
})

/**
 * What the real agent sends on resume: prompts, answers, and its own filler for a missing answer.
 */
async function said(p: Played): Promise<string[]> {
  await p.sent()
  return lastSent(p)
}

function lastSent(p: Played): string[] {
  const { messages = [] } = p.model.requests.at(-1)!.body
  const texts = messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : content).flatMap((block) =>
      role !== 'system' && block.type === 'text' && 'text' in block ? [block.text] : [],
    ),
  )
  return texts.filter((text) => /^(?:T\d|N\d?|did .*|No response requested\.)$/.test(text))
}

const states = async (p: Played) =>
  (await p.log()).map(({ prompt, state, filesState }) => `${prompt} ${state} ${filesState}`)

test('[U1] undo --keep-prompt undoes the answer and its files and keeps the prompt; redo brings the answer back', async () => {
  const p = await session()
  const whole = await p.files()
  const plan = await p.read<PlanView>('undo', '2', '--keep-prompt', '--dry-run')
  expect(plan).toMatchObject({ turns: 2, messages: 5, conversation: 'move' })
  expect(plan.warnings).toEqual([
    'the prompt of turn 2 stays; when the agent continues, it adds “No response requested.” after it',
  ])
  expect(await p.run('undo', '2', '--keep-prompt')).toMatchObject({
    turnsUndone: 2,
    messagesRemoved: 5,
    to: { number: 1 },
    prompt: 'T2',
    filesReverted: ['a'],
  })
  expect(await p.s.read('a')).toBe(lines('one', 'a', '2', 'b', '3', 'c', '4'))
  expect(await said(p)).toEqual(['T1', 'did T1', 'T2', 'No response requested.'])
  expect(await p.status()).toMatchObject({ head: { number: 1 }, bare: { number: 2 }, undone: 2 })
  expect(await states(p)).toEqual(['T1 active in', 'T2 undone out', 'T3 undone out'])

  expect(await p.run('redo')).toMatchObject({ turnsRedone: 1 })
  expect(await p.line()).toEqual(['T1', 'T2'])
  expect(await p.status()).toMatchObject({ head: { number: 2 }, bare: null })
  await p.run('redo')
  expect(await p.files()).toEqual(whole)
  expect(await said(p)).toEqual(['T1', 'did T1', 'T2', 'did T2', 'T3', 'did T3'])

  // And by undoing the operation.
  await p.run('undo', '--keep-prompt')
  expect(await p.status()).toMatchObject({ head: { number: 2 }, bare: { number: 3 } })
  await p.run('op', 'undo')
  expect(await p.files()).toEqual(whole)
  expect(await p.status()).toMatchObject({ head: { number: 3 }, bare: null, undone: 0 })
})

test('[U1][B4][sem.X3] a prompt after it makes a branch that shares the prompt but not the answer', async () => {
  const p = await session()
  const whole = await p.files()
  await p.run('undo', '2', '--keep-prompt')
  await p.say('N2', [edit('a', '4', 'four'), 'did N2'])
  expect(lastSent(p)).toEqual(['T1', 'did T1', 'T2', 'No response requested.', 'N2'])
  const onN = await p.files()
  const log = await p.read<LogView>('log')
  expect(log.turns.map(({ prompt, state, number }) => `${prompt} ${state} ${number}`)).toEqual([
    'T1 active 1',
    'T2 other null',
    'T3 other null',
    'N2 active 2',
  ])
  expect(log.turns.at(-1)).toMatchObject({ kept: log.turns[1]!.id })
  const { branches } = await p.read<TreeView>('tree')
  expect(branches.map(({ fork, turns }) => [fork, turns.map(({ prompt }) => prompt).join(' ')])).toEqual([
    [null, 'T1 T2 T3'],
    [log.turns[0]!.id, 'N2'],
  ]) // prettier-ignore

  await p.run('switch', 'main')
  expect(await p.files()).toEqual(whole)
  expect(await p.line()).toEqual(['T1', 'T2', 'T3'])
  await p.run('switch', branches[1]!.id)
  expect(await p.files()).toEqual(onN)
  expect(await said(p)).toEqual(['T1', 'did T1', 'T2', 'No response requested.', 'N2', 'did N2'])
  expect(await p.run('undo')).toMatchObject({ to: { number: 1 } })
  expect(await p.line()).toEqual(['T1'])
  expect(await p.status()).toMatchObject({ bare: null })
})

test('[U1][U5] at the first turn only its prompt is left', async () => {
  const p = await session()
  const whole = await p.files()
  expect(await p.run('undo', '9', '--keep-prompt')).toMatchObject({ turnsUndone: 3, to: null })
  expect(await p.s.read('a')).toBe(lines('1', 'a', '2', 'b', '3', 'c', '4'))
  expect(await said(p)).toEqual(['T1', 'No response requested.'])
  expect(await p.status()).toMatchObject({ head: null, bare: { number: 1 }, undone: 3 })
  await p.run('redo', '--all')
  expect(await p.files()).toEqual(whole)
  expect(await p.line()).toEqual(['T1', 'T2', 'T3'])
})
