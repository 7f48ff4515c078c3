import { expect, test } from 'vitest'
import type { Run } from '#engine'
import type { RunEvent } from '#timeline'
import { bash, edit, think, write } from '../model/index.ts'
import { runScene } from './played-run.ts'

/** Waits until a run has told something of this kind. */
function told<T extends RunEvent['type']>(
  run: Run,
  type: T,
): Promise<Extract<RunEvent, { type: T }>> {
  return new Promise((resolve) => {
    run.log.follow(0, (event) => {
      if (event.type === type) resolve(event as Extract<RunEvent, { type: T }>)
    })
  })
}

const said = (run: Run): string =>
  run.log.events.map((event) => (event.type === 'text' ? event.text : '')).join('')

test('[W2][G8] a prompt continues the session from its head and streams what happens', async () => {
  await using r = await runScene({ files: { a: '1\n' } })
  r.model.on('go', [[think('hm'), edit('a', '1', '2')], [bash('echo x > b')], 'all done'])
  const run = r.converse('go')
  expect(await run.ended).toBe('done')
  expect(said(run)).toBe('all done')
  expect(run.log.events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['thinking', 'tool', 'tool_result', 'text', 'turn_end']),
  )
  expect(await r.s.files()).toEqual({ a: '2\n', b: 'x\n' })
  expect(await r.sent()).toEqual(['hello', 'go'])
})

test('[G8][W2][B4] undo, prompt, undo, and what the model hears each time', async () => {
  await using r = await runScene({ files: { a: '1\n' } })
  r.model.on('one', [[bash('echo one > a')], 'done'])
  r.model.on('two', [[bash('echo two > a')], 'done'])
  await r.converse('one').ended
  expect(await r.operate({ verb: 'undo', count: 1 })).toMatchObject({ turnsUndone: 1 })
  expect(await r.s.read('a')).toBe('1\n')
  await r.converse('two').ended
  expect(r.model.userTexts()).toEqual(['hello', 'two'])
  expect(await r.s.read('a')).toBe('two\n')
  expect(await r.operate({ verb: 'undo', count: 1 })).toMatchObject({ turnsUndone: 1 })
  expect(await r.s.read('a')).toBe('1\n')
  expect(await r.sent()).toEqual(['hello'])
})

test('[G6][W14] undo while the answer streams: stopped, and the round is gone with its files', async () => {
  await using r = await runScene({ files: { a: '1\n' } })
  r.model.on('go', [[bash('echo 2 > a')], { blocks: ['par'], hang: 'after' }])
  const run = r.converse('go')
  await r.model.hanging()
  expect(await r.operate({ verb: 'undo', count: 1 })).toMatchObject({ turnsUndone: 1 })
  expect(await run.ended).toBe('interrupted')
  expect(await r.s.read('a')).toBe('1\n')
  expect(await r.sent()).toEqual(['hello'])
})

test('[G6][W14] back while a tool runs: the tool is stopped, the files stay, the round is gone', async () => {
  await using r = await runScene({ files: { a: '1\n' } })
  const wait = 'echo 2 > a; while ! [ -e go ]; do sleep 0.1; done; echo late > late'
  r.model.on('go', [[bash(wait)], 'done'])
  const run = r.converse('go')
  await expect.poll(() => r.s.read('a'), { timeout: 30_000 }).toBe('2\n')
  await r.operate({ verb: 'undo', count: 1 }, { only: 'chat' })
  expect(await run.ended).toBe('interrupted')
  await r.s.write('go', '')
  expect(await r.sent()).toEqual(['hello'])
  expect(await r.s.files()).toEqual({ a: '2\n', go: '' })
})

test('[G7][W14] undo while an approval waits: answered no, at once, and the round is gone', async () => {
  await using r = await runScene({ files: { a: '1\n' } })
  r.model.on('go', [[write('b', 'x\n')], 'done'])
  const run = r.converse('go', { permissionMode: 'default' })
  const { id } = await told(run, 'approval')
  const operating = r.operate({ verb: 'undo', count: 1 })
  // Before anything is awaited: a late yes finds nobody.
  expect(run.log.events.at(-1)).toEqual({ type: 'approval_answered', id, allow: false })
  expect(r.runs.answer(id, { allow: true })).toBe(false)
  await operating
  expect(await r.s.files()).toEqual({ a: '1\n' })
  expect(await r.sent()).toEqual(['hello'])
})

test('[converse] approvals: allow, deny with a reason, always', async () => {
  await using r = await runScene({ files: {} })
  const two = (prompt: string): void =>
    r.model.on(prompt, [[write(`${prompt}1`, 'x\n')], [write(`${prompt}2`, 'x\n')], 'done'])
  for (const prompt of ['yes', 'no', 'always']) two(prompt)
  const answerAll = (run: Run, answer: Parameters<typeof r.runs.answer>[1]): number[] => {
    const asked: number[] = []
    run.log.follow(0, (event, number) => {
      if (event.type !== 'approval') return
      asked.push(number)
      r.runs.answer(event.id, answer)
    })
    return asked
  }
  const play = async (
    prompt: string,
    answer: Parameters<typeof r.runs.answer>[1],
  ): Promise<{ asked: number; run: Run }> => {
    const run = r.converse(prompt, { permissionMode: 'default' })
    const asked = answerAll(run, answer)
    expect(await run.ended).toBe('done')
    return { asked: asked.length, run }
  }
  expect((await play('yes', { allow: true })).asked).toBe(2)
  const { run } = await play('no', { allow: false, reason: 'not in this house' })
  expect(run.log.events).toContainEqual(
    expect.objectContaining({ type: 'tool_result', ok: false, text: 'not in this house' }),
  )
  expect((await play('always', { allow: true, always: true })).asked).toBe(1)
  expect(Object.keys(await r.s.files()).sort()).toEqual(['always1', 'always2', 'yes1', 'yes2'])
})

test('[converse] prompts that come meanwhile wait, in their order; a new session begins in a project', async () => {
  await using r = await runScene({ files: {} })
  r.model.on('first', [{ blocks: ['1'], hang: 'after' }])
  const first = r.converse('first')
  await r.model.hanging()
  const second = r.converse('second')
  expect([first.state, second.state]).toEqual(['running', 'queued'])
  r.model.release()
  expect([await first.ended, await second.ended]).toEqual(['done', 'done'])
  expect(await r.sent()).toEqual(['hello', 'first', 'second'])

  const fresh = r.runs.converse({ session: null, project: r.s.project, prompt: 'hello' })
  expect(await fresh.ended).toBe('done')
  expect(await r.sent(fresh.session)).toEqual(['hello'])
})

test('[F2][U8] a run keeps the agent’s own checkpoints, and a snapshot stands at each bound of its turns', async () => {
  await using r = await runScene({ files: { a: '1\n' } })
  r.model.on('one', [edit('a', '1', '2'), 'done'])
  r.model.on('two', [bash('echo 3 > a; echo b > b'), 'done'])
  const start = await r.s.files()
  await r.converse('one').ended
  const one = await r.s.files()
  await r.converse('two').ended
  const { rows } = await r.agent.transcript(r.id)
  expect(rows.map(({ type }) => type)).toContain('file-history-delta')
  // Whole trees, as they were at the bounds.
  for (const [turn, files] of [
    ['2', one],
    ['1', start],
  ] as const) {
    const { code, stderr } = await r.s.retake('rewind', turn, '--exact', '--yes')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await r.s.files()).toEqual(files)
  }
})
