import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openMachine, openProject } from '#engine'
import { lastLook } from '#store'
import { readEnvironment } from '../../src/cli/environment.ts'
import { edit } from '../model/index.ts'
import { played } from '../operations/played.ts'
import { serving } from './serving.ts'

test('[sem.A1] while an agent with hooks is there the server looks at its files, and an undo in the middle of it is whole', async () => {
  await using p = await played({
    files: { 'a.txt': 'one\n' },
    turns: { first: 'hi', second: [edit('a.txt', 'one', 'ONE'), 'ok'] },
  })
  expect((await p.s.retake('install')).code).toBe(0)
  const tui = await p.agent.interactive({ resume: p.id })
  await using server = await serving(p.s)
  p.live = true
  const { places } = readEnvironment({ ...p.s.env }, {})
  using machine = openMachine(places, { now: () => new Date(), newId: randomUUID })
  using project = openProject(machine, p.s.project)
  const lookedAt = (): number => lastLook(project.store)?.at ?? 0
  const waiting = { timeout: 60_000, interval: 50 }
  await expect.poll(lookedAt, waiting).toBeGreaterThan(0)
  for (const content of ['v1\n', 'v2\n']) {
    const before = lookedAt()
    await p.s.write('mine.txt', content)
    await expect.poll(lookedAt, waiting).toBeGreaterThan(before)
  }

  const done = await server.client.undo({ session: p.id, only: 'files' })
  expect(done).toMatchObject({ filesReverted: ['a.txt'] })
  expect(await server.client.redo({ session: p.id, only: 'files' })).toMatchObject({
    filesReverted: ['a.txt'],
    filesKept: [],
  })
  expect(await p.s.read('a.txt')).toBe('ONE\n')
  expect(await p.s.read('mine.txt')).toBe('v2\n')
  await tui.exit()
})
