import { expect, test } from 'vitest'
import { readLog, type Run } from '#engine'
import type { RunEvent } from '#timeline'
import { bash, edit, think, write } from '../model/index.ts'
import { runScene } from './played-run.ts'

/** Waits until a run has emitted an event of this kind. */
function eventOf<T extends RunEvent['type']>(
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

test('[W2][G8][B4][F2][U8][A2] prompts continue from the head, before and after an undo; there is a snapshot at both ends of a turn; reading the log while a command runs does not lose the turn’s files', async () => {
  await using r = await runScene({ files: { a: '1\n' } })
  r.model.on('go', [[think('hm'), edit('a', '1', '2')], [bash('echo x > b')], 'all done'])
  const ready = `${r.s.tmp}/go`
  const wait = `until [ -e ${ready} ]; do sleep 0.05; done`
  r.model.on('two', [[bash(`echo two > a; echo early > early; ${wait}; echo late > late`)], 'done'])
  r.model.on('three', [[bash('echo three > a')], 'done'])
  const start = await r.s.files()
  const run = r.converse('go')
  expect(await run.ended).toBe('done')
  expect(said(run)).toBe('all done')
  expect(run.log.events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['thinking', 'tool', 'tool_result', 'text', 'turn_end']),
  )
  const afterGo = await r.s.files()
  expect(afterGo).toEqual({ a: '2\n', b: 'x\n' })
  const { rows } = await r.agent.transcript(r.id)
  expect(rows.map(({ type }) => type)).toContain('file-history-delta')

  const two = r.converse('two')
  await expect.poll(() => r.s.files()).toHaveProperty('early')
  readLog(r.machine, { session: r.id, project: null })
  await r.s.write(ready, '')
  expect(await two.ended).toBe('done')
  expect(await r.s.files()).toEqual({ a: 'two\n', b: 'x\n', early: 'early\n', late: 'late\n' })
  expect(r.model.userTexts()).toEqual(['hello', 'go', 'two'])
  expect(await r.operate({ verb: 'undo', count: 1 })).toMatchObject({ turnsUndone: 1, left: [] })
  expect(await r.s.files()).toEqual(afterGo)
  await r.converse('three').ended
  expect(r.model.userTexts()).toEqual(['hello', 'go', 'three'])
  expect(await r.s.read('a')).toBe('three\n')
  for (const [turn, files] of [
    ['2', afterGo],
    ['1', start],
  ] as const) {
    const { code, stderr } = await r.s.retake('rewind', turn, '--exact', '--yes')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await r.s.files()).toEqual(files)
  }
  expect(await r.sent()).toEqual(['hello'])
})

test('[G6][G7][W14][converse] undo or back stops a running turn while it streams, runs a tool or waits for an approval; approvals: allow, deny with a reason, always', async () => {
  await using r = await runScene({ files: { a: '1\n' } })
  r.model.on('stream', [[bash('echo 2 > a')], { blocks: ['par'], hang: 'after' }])
  const streaming = r.converse('stream')
  await r.model.hanging()
  expect(await r.operate({ verb: 'undo', count: 1 })).toMatchObject({ turnsUndone: 1 })
  expect(await streaming.ended).toBe('interrupted')
  expect(await r.s.read('a')).toBe('1\n')

  const wait = 'echo 2 > a; while ! [ -e go ]; do sleep 0.1; done; echo late > late'
  r.model.on('tool', [[bash(wait)], 'done'])
  const working = r.converse('tool')
  await expect.poll(() => r.s.read('a'), { timeout: 30_000 }).toBe('2\n')
  // Each next prompt shows what the real agent sends to the model: the previous round is gone.
  expect(r.model.userTexts()).toEqual(['hello', 'tool'])
  await r.operate({ verb: 'undo', count: 1, only: 'chat' })
  expect(await working.ended).toBe('interrupted')
  await r.s.write('go', '')

  r.model.on('ask', [[write('b', 'x\n')], 'done'])
  const asking = r.converse('ask', { permissionMode: 'default' })
  const { id } = await eventOf(asking, 'approval')
  expect(r.model.userTexts()).toEqual(['hello', 'ask'])
  const operating = r.operate({ verb: 'undo', count: 1 })
  // Before any await: a late yes finds no question.
  expect(asking.log.events.at(-1)).toEqual({ type: 'approval_answered', id, allow: false })
  expect(r.runs.answer(id, { allow: true })).toBe(false)
  await operating
  // The files of the round that `back` left stay, and the stopped tool wrote nothing more.
  expect(await r.s.files()).toEqual({ a: '2\n', go: '' })

  const names = ['allowed', 'denied', 'always', 'unasked']
  const answers = [
    { allow: true },
    { allow: false, reason: 'not in this house' },
    { allow: true, always: true },
    { allow: false },
  ]
  r.model.on('write', [...names.map((name) => [write(name, 'x\n')]), 'done'])
  const run = r.converse('write', { permissionMode: 'default' })
  let asked = 0
  run.log.follow(0, (event) => {
    if (event.type === 'approval') r.runs.answer(event.id, answers[asked++]!)
  })
  expect(await run.ended).toBe('done')
  expect(r.model.userTexts()).toEqual(['hello', 'write'])
  expect(asked).toBe(3)
  expect(run.log.events).toContainEqual(
    expect.objectContaining({ type: 'tool_result', ok: false, text: 'not in this house' }),
  )
  const written = names.filter((name) => name !== 'denied').map((name) => [name, 'x\n'])
  expect(await r.s.files()).toEqual({ a: '2\n', go: '', ...Object.fromEntries(written) })
})

test('[converse] prompts sent meanwhile queue in order; each of two sessions undoes its own work', async () => {
  await using r = await runScene({ files: { a: '1\n', b: '1\n' } })
  const fresh = r.runs.converse({ session: null, project: r.s.project, prompt: 'hello' })
  expect(await fresh.ended).toBe('done')
  expect(r.model.userTexts()).toEqual(['hello'])
  expect(fresh.session).not.toBe(r.id)

  r.model.on('do a', [[bash('echo 2 > a')], 'done'])
  r.model.on('do b', [{ blocks: [bash('echo 2 > b')], hang: 'before' }, 'done'])
  const beside = r.converse('do b', { session: fresh.session })
  await r.model.hanging()
  const first = r.converse('do a')
  const second = r.converse('second')
  await r.model.seen('do a')
  expect([first.state, second.state]).toEqual(['running', 'queued'])
  expect([await first.ended, await second.ended]).toEqual(['done', 'done'])
  expect(r.model.userTexts()).toEqual(['hello', 'do a', 'second'])
  r.model.release()
  expect(await beside.ended).toBe('done')
  await r.operate({ verb: 'undo', count: 2 })
  expect(await r.s.files()).toEqual({ a: '1\n', b: '2\n' })
  await r.operate({ verb: 'undo', count: 1 }, fresh.session)
  expect(await r.s.files()).toEqual({ a: '1\n', b: '1\n' })
})
