import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogView, ReceiptView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { parseView } from '../cli/schemas.ts'
import { scansAreDone } from '../hooks/hook-world.ts'
import { edit, read, scriptedModel, write } from '../model/index.ts'
import { scene } from '../scene.ts'
import { openRewindMenu } from './play-on-screen.ts'
import { type Played, played } from './played.ts'

// Another program moved a turn's files out: the agent's own rewind, or a Retake whose store is
// lost.

const lines = (...each: string[]): string => `${each.join('\n')}\n`
const three = {
  files: { a: lines('1', 'a', '2', 'b', '3') },
  turns: {
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [[edit('a', '2', 'two'), write('dir/b', 'b\n')], 'did T2'],
    T3: [edit('a', 'two', 'TWO'), 'did T3'],
  },
} as const

async function standing(p: Played): Promise<string> {
  const a = await p.s.read('a')
  return `${a.replaceAll('\n', ' ')}${'dir/b' in (await p.files()) ? 'with b' : ''}`
}

test('[B3][F8][sem.C5] without its store Retake finds in the files what is undone, and redo brings it back', async () => {
  await using p = await played(three)
  await p.run('undo', '2')
  await rm(join(p.s.home, '.local'), { recursive: true })

  await p.run('redo')
  expect(await standing(p)).toBe('one a two b 3 with b')
  await p.run('redo')
  expect(await standing(p)).toBe('one a TWO b 3 with b')
  await p.run('undo', '3')
  expect(await standing(p)).toBe('1 a 2 b 3 ')
})

test('[sem.C5] after the agent’s own rewind of code and conversation its turns count as out', async () => {
  await using p = await played({ ...three, checkpointing: true })
  p.model.on('T2 again', [read('a'), edit('a', '2', 'zwei'), 'did T2 again'])
  await p.onScreen([
    ...openRewindMenu('T3', 'T2'),
    { key: 'enter' },
    { miss: 'Restore code' },
    { clear: 'T2' },
    { submit: 'T2 again' },
    { see: 'did T2 again' },
  ])
  expect(await standing(p)).toBe('one a zwei b 3 ')

  await p.run('undo')
  expect(await standing(p)).toBe('one a 2 b 3 ')
  expect(
    (await p.log()).map(({ prompt, state, filesState }) => `${prompt} ${state} ${filesState}`),
  ).toEqual(['T1 active in', 'T2 other out', 'T3 other out', 'T2 again undone out'])
  await p.run('undo')
  expect(await standing(p)).toBe('1 a 2 b 3 ')
  await p.run('redo', '--all')
  expect(await standing(p)).toBe('one a zwei b 3 ')
  expect(await p.line()).toEqual(['T1', 'T2 again'])
})

test('[sem.C5] with hooks, a switch brings back what the agent’s own rewind moved out', async () => {
  await using s = await scene({ files: { a: '1\n' }, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await s.retake('install')
  model.on('T1', [read('a'), edit('a', '1', 'one'), 'did T1'])
  model.on('T2', [write('dir/b', 'b\n'), 'did T2'])
  model.on('T3', 'did T3')
  const tui = await agent.interactive()
  for (const prompt of ['T1', 'T2']) {
    await tui.submit(prompt)
    await tui.waitFor(new RegExp(`did ${prompt}`))
  }
  await scansAreDone(s)
  await tui.submit('/rewind')
  await tui.waitFor(/❯ \(current\)/)
  await tui.key('up')
  await tui.waitFor(/❯ T2[^]*\(current\)/)
  await tui.key('enter')
  await tui.waitFor(/Restore code and conversation/)
  await tui.key('enter')
  await expect.poll(() => s.files(), { timeout: 60_000 }).not.toHaveProperty('dir/b')
  // Retake scans before the next prompt shows that the conversation went back.
  expect(await s.retake('log', '--session', tui.sessionId)).toMatchObject({ code: 0 })
  await tui.clear('T2')
  await tui.submit('T3')
  await tui.waitFor(/did T3/)
  await tui.exit()
  await scansAreDone(s)

  const log = parseView<LogView>((await s.retake('log', '--json')).stdout)
  expect(
    log.turns.map(({ prompt, filesState, editedAfter }) => [
      prompt,
      filesState,
      editedAfter.length,
    ]),
  ).toEqual([
    ['T1', 'in', 0],
    ['T2', 'out', 0],
    ['T3', 'in', 0],
  ])
  const receipt = parseView<ReceiptView>((await s.retake('switch', 'main', '--json')).stdout)
  expect(receipt.filesReverted).toEqual(['dir/b'])
  expect(await s.files()).toMatchObject({ a: 'one\n', 'dir/b': 'b\n' })
})
