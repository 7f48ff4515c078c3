import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claudeCode } from '../agent/index.ts'
import { bash, scriptedModel } from '../model/index.ts'
import { scene } from '../scene.ts'
import { helloSeen } from '../capture/hello-seen.ts'
import { stateOf } from '../house/process-facts.ts'

test('[sem.A1][sem.A2][H12] without a server a command’s hook waits for a scan, so a save right before it stays the user’s, and no process outlives the agent', async () => {
  await using s = await scene({ files: { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  expect((await s.retake('install')).code).toBe(0)
  const command = bash('sed -i s/five/FIVE/ a.txt; rm mine.txt')
  model.on('work', [{ hang: 'before', blocks: [command] }, 'done'])
  const sessionId = await helloSeen(s)
  const state = join(s.env['XDG_STATE_HOME']!, 'retake')
  const offered = join(state, 'looks', sessionId)
  const running = agent.prompt('work', { resume: sessionId })
  await model.hanging()

  // There was no scan since the prompt, and no background process yet: the first step's hook waits.
  await s.write('a.txt', 'MINE\ntwo\nthree\nfour\nfive\n')
  await s.write('mine.txt', 'my notes\n')
  model.release()
  await expect.poll(() => existsSync(offered), { timeout: 30_000, interval: 5 }).toBe(true)
  const who = await readFile(offered, 'utf8')
  await running
  expect(await s.files()).toEqual({ 'a.txt': 'MINE\ntwo\nthree\nfour\nFIVE\n' })

  // The process ends with the agent, and reads the remaining events.
  const left = (): string[] => [
    ...readdirSync(state).filter((name) => name.startsWith('look.')),
    ...readdirSync(join(state, 'looks')),
    ...readdirSync(join(state, 'spool')),
  ]
  await expect.poll(left, { timeout: 30_000 }).toEqual([])
  const pid = Number.parseInt(who, 10)
  await expect.poll(() => stateOf(pid)).toBe('gone')
  expect((await s.retake('undo', '--session', sessionId, '--yes')).code).toBe(0)
  expect(await s.files()).toEqual({
    'a.txt': 'MINE\ntwo\nthree\nfour\nfive\n',
    'mine.txt': 'my notes\n',
  })
})
