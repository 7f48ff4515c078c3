import { expect, test } from 'vitest'
import { claudeCode } from '#agents'
import { bash, write } from '../model/index.ts'
import { runScene } from './played-run.ts'

test('[converse] a model that errs: tried again and told; one that stays down: failed, and the session goes on', async () => {
  await using r = await runScene({ files: {} })
  r.model.on('busy', [{ error: { status: 529 } }, { blocks: ['par'], broken: true }, 'at last'])
  const busy = r.converse('busy')
  expect(await busy.ended).toBe('done')
  expect(busy.log.events.map(({ type }) => type)).toContain('retry')

  r.model.on('wrong', [{ error: { status: 400, message: 'no such thing' } }])
  const wrong = r.converse('wrong')
  expect(await wrong.ended).toBe('failed')
  expect(wrong.log.events.find(({ type }) => type === 'error')).toMatchObject({
    code: 'turn-failed',
    message: expect.stringContaining('no such thing'),
  })
  expect(await r.converse('hello').ended).toBe('done')
})

test('[converse] the agent’s process dies in a turn: told, nothing hangs, and the next prompt works', async () => {
  await using r = await runScene({ files: { a: '1\n' } })
  r.model.on('go', [[bash('echo 2 > a')], { blocks: ['par'], hang: 'after' }])
  const run = r.converse('go')
  await r.model.hanging()
  const [live] = claudeCode.findLiveProcesses(r.s.claudeDir)
  process.kill(live!.pid, 'SIGKILL')
  expect(await run.ended).toBe('failed')
  expect(run.log.events.find(({ type }) => type === 'error')).toMatchObject({ code: 'agent-died' })
  expect(await r.operate({ verb: 'undo', count: 1 })).toMatchObject({ turnsUndone: 1 })
  expect(await r.s.files()).toEqual({ a: '1\n' })
  expect(await r.converse('hello').ended).toBe('done')
})

test('[converse] two runs in one project: each undo takes back its own', async () => {
  await using r = await runScene({ files: { a: '1\n', b: '1\n' } })
  const { sessionId: other } = await r.agent.prompt('hello')
  r.model.on('do a', [[bash('echo 2 > a')], 'done'])
  r.model.on('do b', [{ blocks: [bash('echo 2 > b')], hang: 'before' }, 'done'])
  const b = r.converse('do b', { session: other })
  await r.model.hanging()
  expect(await r.converse('do a').ended).toBe('done')
  r.model.release()
  expect(await b.ended).toBe('done')
  await r.operate({ verb: 'undo', count: 1 })
  expect(await r.s.files()).toEqual({ a: '1\n', b: '2\n' })
  await r.operate({ verb: 'undo', count: 1 }, {}, other)
  expect(await r.s.files()).toEqual({ a: '1\n', b: '1\n' })
})

test('[G6] the first round of a new session, stopped and undone: an empty conversation', async () => {
  await using r = await runScene({ files: {} })
  r.model.on('begin', [[write('x', '1\n')], { blocks: ['par'], hang: 'after' }])
  const run = r.runs.converse({
    session: null,
    project: r.s.project,
    prompt: 'begin',
    permissionMode: 'bypassPermissions',
  })
  await r.model.hanging()
  await r.operate({ verb: 'undo', count: 1 }, {}, run.session)
  expect(await r.s.files()).toEqual({})
  expect(await r.sent(run.session)).toEqual([])
})

test('[converse] a session that another process has open is left to it', async () => {
  await using r = await runScene({ files: {} })
  await r.agent.interactive({ resume: r.id })
  expect(() => r.converse('hello')).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^session-(live|busy)$/) }),
  )
})
