import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMachine, openProject } from '#engine'
import { lastScan } from '#store'
import { readEnvironment } from '../../src/cli/environment.ts'
import { claudeCode } from '../agent/index.ts'
import { bash, edit, scriptedModel } from '../model/index.ts'
import { scene } from '../scene.ts'
import { helloSeen } from '../capture/hello-seen.ts'
import { makeHooksPatient } from '../capture/patient-hooks.ts'
import { serving } from './serving.ts'

test('[sem.A1] while an agent with hooks runs, the server scans its files, and an undo meanwhile is complete', async () => {
  await using s = await scene({ files: { 'a.txt': 'one\n' }, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  expect((await s.retake('install')).code).toBe(0)
  model.on('second', [edit('a.txt', 'one', 'ONE'), 'changed it'])
  const session = await helloSeen(s)
  const tui = await agent.interactive({ resume: session })
  await tui.submit('second')
  await tui.waitFor(/changed it/)
  await using server = await serving(s)
  const { places } = readEnvironment({ ...s.env }, {})
  using machine = openMachine(places, { now: () => new Date(), newId: randomUUID })
  using project = openProject(machine, s.project)
  const lookedAt = (): number => lastScan(project.store)?.at ?? 0
  const waiting = { timeout: 60_000, interval: 50 }
  await expect.poll(lookedAt, waiting).toBeGreaterThan(0)
  for (const content of ['v1\n', 'v2\n']) {
    const before = lookedAt()
    await s.write('mine.txt', content)
    await expect.poll(lookedAt, waiting).toBeGreaterThan(before)
  }

  const done = await server.client.undo({ session, only: 'files' })
  expect(done).toMatchObject({ filesReverted: ['a.txt'] })
  expect(await server.client.redo({ session, only: 'files' })).toMatchObject({
    filesReverted: ['a.txt'],
    filesKept: [],
  })
  expect(await s.read('a.txt')).toBe('ONE\n')
  expect(await s.read('mine.txt')).toBe('v2\n')
  await tui.exit()
})

test('[sem.A1][sem.A2][H12] what a user typed right before a command changed the same file stays theirs', async () => {
  await using s = await scene({ files: { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  expect((await s.retake('install')).code).toBe(0)
  const env = await makeHooksPatient(s)
  const command = bash('sed -i s/five/FIVE/ a.txt')
  model.on('work', [{ hang: 'before', blocks: [command] }, 'done'])
  const sessionId = await helloSeen(s)
  await using server = await serving(s)
  const state = join(s.env['XDG_STATE_HOME']!, 'retake')
  const running = agent.prompt('work', { resume: sessionId, env })
  await model.hanging()
  const offered = join(state, 'looks', sessionId)
  await expect.poll(() => existsSync(offered), { timeout: 60_000, interval: 50 }).toBe(true)

  // No scan but the one before the step happens.
  await s.write('a.txt', 'MINE\ntwo\nthree\nfour\nfive\n')
  model.release()
  await running
  expect(await s.read('a.txt')).toBe('MINE\ntwo\nthree\nfour\nFIVE\n')
  expect(await server.client.undo({ session: sessionId })).toMatchObject({
    filesReverted: ['a.txt'],
  })
  expect(await s.read('a.txt')).toBe('MINE\ntwo\nthree\nfour\nfive\n')

  // The server took the events, and nothing is left of the ended session.
  const left = (directory: string): string[] =>
    readdirSync(join(state, directory)).filter((name) => name.startsWith(sessionId))
  await expect.poll(() => [...left('looks'), ...left('spool')]).toEqual([])
  expect(await server.end()).toBe(0)
})
