import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Tui } from '../agent/interactive.ts'
import { edit, write } from '../model/index.ts'
import { playedOnce, type Played } from '../operations/played.ts'
import { cli } from '../scene.ts'
import { idle, leave, opened } from './opened.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

const session = playedOnce({
  files: { a: '1\n' },
  turns: {
    hello: 'hi',
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [[edit('a', 'one', 'eins'), write('b', 'b\n')], 'did T2'],
  },
})

/**
 * Sends a command to Retake. The agent puts words without a slash back into the box, sometimes
 * after the answer is on the screen: if cleared earlier, they would precede the next text.
 */
async function ask(tui: Tui, text: string, answer: RegExp): Promise<void> {
  await tui.type(text)
  await tui.key('enter')
  await tui.waitFor(answer, { timeoutMs: 60_000 })
  if (!text.startsWith('/')) await tui.clear(text)
}

/** Three sets of hooks: user settings, project settings, and the plugin. */
async function addAllHooks(p: Played): Promise<void> {
  for (const scope of ['user', 'project'])
    expect(await p.s.retake('install', '--scope', scope)).toMatchObject({ code: 0 })
  for (const args of [
    ['marketplace', 'add', repository],
    ['install', 'retake@retake'],
  ])
    expect(await p.s.run(p.agent.binary, ['plugin', ...args], { env: p.agent.env })).toMatchObject({
      code: 0,
    })
}

async function operations(p: Played): Promise<string[]> {
  const { stdout } = await p.s.retake('op', 'log', '--json')
  const { operations } = JSON.parse(stdout) as { operations: { verb: string }[] }
  return operations.map(({ verb }) => verb).filter((verb) => verb !== 'follow')
}

test('[sem.C8][sem.C3] /retake: commands, and plain words if enabled, are answered once, without the model, and are no turns; a person may also call Retake by `!`', async () => {
  const p = await session()
  await addAllHooks(p)
  const installed = await p.s.retake('install', '--json')
  expect(JSON.parse(installed.stdout)).toMatchObject({ plugin: true, change: 'unchanged' })
  const { stdout: output } = await p.s.retake('install')
  expect(output).toMatch(
    /also in your settings and in this project's settings\. Each event is handled once/,
  )
  expect((await p.s.retake('doctor')).stdout).toMatch(/Hooks are installed 3 times/)
  const tui = await opened(p)
  const requests = p.model.requests.length
  await ask(tui, '/retake:undo', /Undid 1 turn: 1 file restored, 1 removed\./)
  await tui.waitFor(/The conversation continues after turn 2 as soon as Claude Code leaves it/)
  expect(await p.files()).toMatchObject({ a: 'one\n' })
  expect(await p.files()).not.toHaveProperty('b')
  expect(await operations(p)).toEqual(['undo'])
  await ask(tui, '/retake:undo', /Undid 1 turn: 1 file restored\./)
  await ask(tui, '/retake:redo', /Redid 1 turn/)
  expect(await p.files()).toMatchObject({ a: 'one\n' })
  expect(await operations(p)).toEqual(['redo', 'undo', 'undo'])
  await ask(tui, '/retake:redo', /Redid 1 turn[^]*Redid 1 turn/)
  expect(await p.files()).toMatchObject({ a: 'eins\n', b: 'b\n' })
  // The hook's other answers: test/cli/output-inside.test.ts.
  await ask(tui, '/retake:rewind', /Usage: \/retake:rewind TURN/)
  expect(p.model.requests.length, 'calls of the model').toBe(requests)

  // Plain words are prompts until the user enables them, and then only when alone.
  p.model.on('undo', ['what shall I undo?'])
  await tui.submit('undo')
  await tui.waitFor(/what shall I undo\?/)
  await idle(p)
  expect(await p.s.retake('settings', 'set', 'plainUndo', 'on')).toMatchObject({ code: 0 })
  await ask(tui, 'undo 2', /Undid 2 turns/)
  expect(await p.files()).toMatchObject({ a: 'one\n' })
  await ask(tui, 'Redo 2', /Redid 2 turns/)
  await ask(tui, 'Undo.', /what shall I undo\?[^]*Undid 1 turn/)
  expect((await operations(p)).slice(0, 3)).toEqual(['undo', 'redo', 'undo'])
  p.model.on('undo my mistake please', ['which one?'])
  await tui.submit('undo my mistake please')
  await tui.waitFor(/Send the prompt again to stay here/)
  await tui.key('enter')
  await tui.waitFor(/which one\?/)
  await idle(p)
  await ask(tui, '/retake:rewind 2', /Undid 3 turns/)
  expect(await p.files()).toMatchObject({ a: 'one\n' })

  // The user's own shell. Its scan is not a prompt: the conversation still follows.
  const command = `!${process.execPath} ${cli} undo`
  await tui.submit(command)
  await tui.waitFor(/Undid 3 turns[^]*● ok/)
  await idle(p)
  expect(await p.files()).toMatchObject({ a: '1\n' })
  expect(await p.status()).toMatchObject({ pending: { to: { number: 1 } } })
  await tui.submit('!ls')
  await tui.waitFor(/! ls[^]*● ok/)
  await idle(p)
  await leave(p, tui, 'ctrl-c')
  expect(await p.status()).toMatchObject({ head: { number: 1 }, undone: 6, pending: null })
  const said = ['hello', 'T1', 'T2', 'undo', 'undo my mistake please', command, '!ls']
  expect((await p.log()).map(({ prompt }) => prompt)).toEqual(said)

  // Without a screen the answer is the program's output, and the conversation moves at the end.
  const { result, exitCode } = await p.agent.prompt('/retake:redo 2', { resume: p.id })
  expect({ result, exitCode }).toMatchObject({
    result: expect.stringMatching(/Redid 2 turns/),
    exitCode: 0,
  })
  expect(await p.files()).toMatchObject({ a: 'eins\n', b: 'b\n' })
  expect(await p.sent()).toEqual(['hello', 'T1', 'T2'])
})
