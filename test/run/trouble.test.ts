import { expect, test } from 'vitest'
import * as claudeCode from '../agent/claude-parts.ts'
import { bash, write } from '../model/index.ts'
import { runScene } from './played-run.ts'
import { procStartOf } from '../house/process-facts.ts'

test('[G6][converse] stopping and undoing the first round of a new session leaves an empty conversation; failures are reported and leave the session usable; one that is open elsewhere is refused', async () => {
  await using r = await runScene({ files: { a: '1\n' } })
  r.model.on('begin', [[write('x', '1\n')], { blocks: ['par'], hang: 'after' }])
  const { session } = r.runs.converse({
    session: null,
    project: r.s.project,
    prompt: 'begin',
    permissionMode: 'bypassPermissions',
  })
  await r.model.hanging()
  await r.operate({ verb: 'undo', count: 1 }, session)
  expect(await r.s.files()).toEqual({ a: '1\n' })

  r.model.on('wrong', [{ error: { status: 400, message: 'no such thing' } }])
  const wrong = r.converse('wrong', { session })
  expect(await wrong.ended).toBe('failed')
  expect(r.model.userTexts()).toEqual(['wrong'])
  expect(wrong.log.events.find(({ type }) => type === 'error')).toMatchObject({
    code: 'turn-failed',
    message: expect.stringContaining('no such thing'),
  })

  r.model.on('go', [[bash('echo 2 > a')], { blocks: ['par'], hang: 'after' }])
  const run = r.converse('go', { session })
  await r.model.hanging()
  const [live] = claudeCode.findLiveProcesses(r.s.claudeDir)
  process.kill(live!.pid, 'SIGKILL')
  expect(await run.ended).toBe('failed')
  expect(run.log.events.find(({ type }) => type === 'error')).toMatchObject({ code: 'agent-died' })
  expect(await r.operate({ verb: 'undo', count: 1 }, session)).toMatchObject({ turnsUndone: 1 })
  expect(await r.s.files()).toEqual({ a: '1\n' })

  // The session continues, and a failing model is retried.
  r.model.on('busy', [{ error: { status: 529 } }, { blocks: ['par'], broken: true }, 'at last'])
  const busy = r.converse('busy', { session })
  expect(await busy.ended).toBe('done')
  expect(busy.log.events.map(({ type }) => type)).toContain('retry')

  // The agent's own process list, with this process as the agent.
  const procStart = procStartOf(process.pid)
  for (const status of ['idle', 'busy'] as const) {
    const entry = { sessionId: r.id, procStart, status, kind: 'interactive' }
    await r.s.write(
      `${r.s.claudeDir}/sessions/${process.pid}.json`,
      JSON.stringify({ ...entry, statusUpdatedAt: Date.now() }),
    )
    expect(() => r.converse('hello'), status).toThrow(
      expect.objectContaining({ code: status === 'busy' ? 'session-busy' : 'session-live' }),
    )
  }
})
