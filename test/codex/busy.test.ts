import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { codex } from '../agent/codex.ts'
import { responsesModel } from '../model/index.ts'
import { needs } from '../needs.ts'
import { scene } from '../scene.ts'
import { threeTurns } from './three-turns.ts'

needs('codex')('[port] a session that Codex is writing is not moved', async () => {
  await using s = await scene()
  await using model = await responsesModel()
  const agent = codex(s, model)
  const session = await threeTurns(model, agent)
  const before = agent.rollouts()
  model.on('wait', [{ blocks: ['late'], hang: 'before' }])
  const waiting = agent.prompt('wait', { resume: session })
  await model.hanging()
  const files = await s.files()
  const { code, stdout } = await s.retake('undo', '--session', session, '--json', '--yes')
  expect(code).not.toBe(0)
  expect(stdout).toContain('session-busy')
  expect(await s.files()).toEqual(files)
  expect(agent.rollouts()).toEqual(before)
  model.release()
  await waiting
  // A lock file that no process holds is none.
  const locks = join(agent.home, 'thread-writer-locks')
  mkdirSync(locks, { recursive: true })
  closeSync(openSync(join(locks, `${session}.lock`), 'w'))
  const undone = await s.retake('undo', '2', '--session', session, '--json', '--yes')
  expect(undone.code, undone.stdout).toBe(0)
  // Older versions cannot continue a rollout in another one, so the conversation goes to a new session.
  const { continues } = JSON.parse(undone.stdout) as { continues?: { session: string } }
  expect(await agent.probed(continues?.session ?? session)).toEqual(['one', 'two'])
})
