import { expect, test } from 'vitest'
import { claudeCode, helloSession } from '../agent/index.ts'
import { Terminal } from '../agent/terminal.ts'
import { bash, scriptedModel, write } from '../model/index.ts'
import { cli, scene } from '../scene.ts'

test('[W2][F8] chat: one prompt without a terminal, as text and as a stream of JSON', async () => {
  await using s = await scene({ files: {}, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('first', [[write('a', '1\n')], 'I wrote \u001B[2Jit'])
  const mode = ['--permission-mode', 'acceptEdits']
  const first = await s.retake('chat', 'first', ...mode, { env: agent.env })
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toBe('* Write a\nI wrote ␛[2Jit\n')

  model.on('second', [[write('b', '1\n')], 'done'])
  const second = await s.retake('chat', '--json', { env: agent.env, input: 'second\n' })
  const events = second.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; session: string })
  expect(new Set(events.map(({ session }) => session))).toEqual(new Set(await agent.sessions()))
  // There was no terminal to ask in, so the answer was no.
  expect(events.map(({ type }) => type)).toEqual([
    'tool',
    'approval',
    'approval_answered',
    'tool_result',
    'text',
    'turn_end',
  ])
  expect(await s.files()).toEqual({ a: '1\n' })
  expect(model.userTexts()).toEqual(['first', 'second'])
})

test('[U1][U6][G6][G7] chat in a terminal: approve, stop, undo, and the prompt is back to edit', async () => {
  await using s = await scene({ files: { keep: '1\n' }, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('hello', 'hi there')
  model.on('make a', [[bash('echo 1 > a')], 'made a'])
  model.on('hang', [{ blocks: ['half'], hang: 'after' }])
  const screen = new Terminal(s, {
    command: [process.execPath, cli, 'chat', '--new'],
    cwd: s.project,
    env: agent.env,
    rows: 40,
  })
  const enter = async (text: string): Promise<void> => {
    await screen.type(text)
    await screen.key('enter')
  }
  await screen.waitFor(/\/undo \[N\][^]*\n> *$/)
  await enter('hello')
  await screen.waitFor(/hi there\n> *$/)
  await enter('make a')
  await screen.waitFor(/or say why not: *$/)
  await enter('yes')
  await screen.waitFor(/made a\n> *$/)
  expect(await s.read('a')).toBe('1\n')
  await enter('/undo')
  await screen.waitFor(/Continue\? \[y\/N\] *$/)
  await enter('y')
  // The undone prompt is in the input line.
  await screen.waitFor(/> make a$/)
  expect(await s.files()).toEqual({ keep: '1\n' })
  await screen.key('ctrl-u')
  await enter('hang')
  await screen.waitFor(/half/)
  await screen.key('ctrl-c')
  await screen.waitFor(/Stopped\.\n> *$/)
  await enter('/nonsense')
  await screen.waitFor(/Unknown command \/nonsense[^]*\n> *$/)
  await screen.key('ctrl-c')
  expect(await screen.ended()).toBe(0)
  // What the agent sent to the model after the undo.
  expect(model.userTexts()).toEqual(['hello', 'hang'])
})

test('[F8][R1] if Retake is killed during a turn, the agent ends by itself and the turn can be undone', async () => {
  await using s = await scene({ files: { a: '1\n' }, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await helloSession(s)
  model.on('go', [[bash('echo 2 > a')], { blocks: ['half'], hang: 'after' }])
  const args = [cli, 'chat', 'go', '--permission-mode', 'bypassPermissions']
  const chat = s.processes.start(process.execPath, args, { cwd: s.project, env: { ...agent.env } })
  await model.hanging()
  chat.kill('SIGKILL')
  model.release()
  const status = async (): Promise<unknown> =>
    JSON.parse((await s.retake('status', '--json')).stdout) as unknown
  // It may still write until it ends, and an undo would be refused.
  await expect.poll(() => s.processes.running(), { timeout: 60_000 }).toEqual([])
  await expect.poll(status, { timeout: 60_000 }).toMatchObject({ live: null, head: { number: 2 } })
  expect(await s.retake('undo', '--yes')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual({ a: '1\n' })
  expect(await status()).toMatchObject({ head: { number: 1 }, undone: 1 })
})
