import { expect } from 'vitest'
import { agentEnvironment, startedIn } from '#agents'
import { codex } from '../agent/codex.ts'
import { responsesModel, shell } from '../model/index.ts'
import { needs } from '../needs.ts'
import { scene } from '../scene.ts'

needs('codex')('[port] a command that Codex runs knows its session', async () => {
  await using s = await scene()
  await using model = await responsesModel()
  const agent = codex(s, model)
  model.on('print it', [shell('env > env.txt'), 'ok'])
  const { session } = await agent.prompt('print it')
  const rows = (await s.read('env.txt')).trim().split('\n')
  const env = Object.fromEntries(rows.map((row) => row.split(/=(.*)/s, 2)))
  expect(startedIn(env)).toEqual({ session, pid: null })
  // A program that Retake starts must not take itself for a part of that session.
  expect(startedIn(agentEnvironment(env))).toBeNull()
})
