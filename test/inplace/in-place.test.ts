import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StatusView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { bash, scriptedModel, write } from '../model/index.ts'
import { cli, scene, type Scene } from '../scene.ts'
import { answeringHere } from '../server/in-process.ts'
import { boxOf, envWithClaude, supervised } from './supervised.ts'

const records = (s: Scene): Promise<string[]> =>
  readdir(join(s.env['XDG_RUNTIME_DIR']!, 'retake/supervised')).catch(() => [])

test('[sem.C2][sem.C6] under `retake claude` an undo reopens Claude Code at the earlier turn, with the undone prompt to edit', async () => {
  await using s = await scene({ files: { a: '1\n' }, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  for (const name of ['T1', 'T2', 'T3', 'T3 again'])
    model.on(name, [write(name, 'x\n'), `did ${name}.`])
  const tui = await supervised(s, agent)
  for (const name of ['T1', 'T2', 'T3']) {
    await tui.submit(name)
    await tui.waitFor(new RegExp(`did ${name}\\.`))
  }

  await tui.submit('/retake:undo')
  await tui.waitFor((screen) => boxOf(screen) === 'T3' && /did T2\./.test(screen))
  expect(tui.screen()).not.toContain('did T3.')
  await tui.waitFor(/Undid 1 turn: 1 file removed\.\s+Claude Code reopened at turn 2\./)
  expect(await s.files()).not.toHaveProperty('T3')
  await tui.type(' again')
  await tui.key('enter')
  await tui.waitFor(/did T3 again\./)
  expect(model.userTexts()).toEqual(['T1', 'T2', 'T3 again'])
  await tui.submit('/retake:redo')
  await tui.waitFor(/Nothing to redo on this branch/)
  const tree = await s.retake('tree')
  expect(tree.stdout).toMatch(/T3 again/)
  expect(tree.stdout).toMatch(/T3$/m)

  // From another terminal, with nothing typed since. The agent shows the hook's answer before it
  // notes that it is idle, and a busy agent is left alone.
  const live = async (): Promise<unknown> =>
    (JSON.parse((await s.retake('status', '--json')).stdout) as StatusView).live
  await expect.poll(live, { timeout: 60_000 }).toBe('idle')
  const undone = await s.retake('undo', '--yes')
  expect(undone.stdout, undone.stderr).toContain('Claude Code reopened at turn 2.')
  await tui.waitFor((screen) => boxOf(screen) === 'T3 again')
  expect(await s.files()).not.toHaveProperty('T3 again')

  // Text in the box is not discarded without asking.
  await tui.type(' and more')
  const asked = await s.retake('undo', '--json')
  expect(JSON.parse(asked.stdout)).toMatchObject({
    conversation: 'pending',
    reopen: { state: 'asks' },
  })
  await tui.waitFor(/Ctrl-R reopens at turn 1/)
  await tui.key('escape')
  // Otherwise the test would find the old question before the next one is there.
  await tui.waitFor((screen) => /bypass permissions on/.test(screen) && !/Ctrl-R/.test(screen))
  expect(boxOf(tui.screen())).toBe('T3 again and more')
  await s.retake('redo', '--yes')
  await s.retake('undo', '--yes')
  await tui.waitFor(/Ctrl-R reopens at turn 1/)
  tui.press('\u0012')
  await tui.waitFor((screen) => boxOf(screen) === 'T2' && !/did T2\./.test(screen))

  // A running turn is stopped, undone as far as it got, and can be sent again.
  model.on('T4', [write('T4', 'x\n'), bash('until [ -e go ]; do sleep 0.05; done'), 'did T4.'])
  await tui.clear('T2')
  await tui.submit('T4')
  await tui.waitFor(/until \[ -e go/)
  expect(await s.retake('undo', '--yes')).toMatchObject({ code: 5 })
  const stopped = await s.retake('undo', '--stop', '--yes')
  expect(stopped.stdout, stopped.stderr).toContain('Claude Code reopened at turn 1.')
  await tui.waitFor((screen) => boxOf(screen) === 'T4')
  expect(await s.files()).not.toHaveProperty('T4')

  // Back on the page does the same, and leaves the files.
  model.on('T5', [write('T5', 'x\n'), bash('until [ -e go ]; do sleep 0.05; done'), 'did T5.'])
  await tui.clear('T4')
  await tui.submit('T5')
  await tui.waitFor(/until \[ -e go/)
  await using server = await answeringHere(s, agent.env)
  const [sessionId] = await agent.sessions()
  const address = `/api/sessions/${sessionId}/back`
  // A page that shows an earlier turn as the last one must not stop this one.
  expect(await server.post(address, { expectHead: 1 })).toMatchObject({ status: 409 })
  expect((await server.post(address)).body).toMatchObject({
    conversation: 'moved',
    turnsUndone: 1,
    reopen: { state: 'reopened' },
  })
  await tui.waitFor((screen) => boxOf(screen) === 'T5')
  expect(await s.files()).toHaveProperty('T5')

  expect(await records(s)).toHaveLength(1)
  await tui.exit()
  expect(await records(s)).toEqual([])
  await agent.probe(sessionId!)
  expect(model.userTexts()).toEqual(['T1', 'probe'])
})

test('[house] `retake claude` is the `claude` on the PATH where it shows no session of this terminal', async () => {
  await using s = await scene()
  const fake = join(s.tmp, 'fake')
  await writeFile(fake, '#!/bin/sh\nprintf "<%s>" "$@"; cat; exit 7\n', { mode: 0o755 })
  const env = await envWithClaude(s, { binary: fake, env: s.env })
  const start = (...args: string[]) =>
    s.run(process.execPath, [cli, 'claude', ...args], { env, input: 'piped' })
  // Without a terminal, with any arguments; options with Retake's own names too.
  for (const args of [['-p', 'a b'], ['--json', '--help'], ['mcp', 'list'], []]) {
    const { code, stdout } = await start(...args)
    expect({ code, stdout }).toEqual({
      code: 7,
      stdout: `${args.map((arg) => `<${arg}>`).join('')}${args.length === 0 ? '<>' : ''}piped`,
    })
  }
  expect(await records(s)).toEqual([])
  const missing = await s.run(process.execPath, [cli, 'claude'], {
    env: { ...s.env, PATH: '/nowhere' },
  })
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no `claude` on your PATH.'),
  })
})
