import { expect, test } from 'vitest'
import type { LogView, ReceiptView, StatusView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { parseView } from '../cli/schemas.ts'
import { agent as delegate, bash, scriptedModel, write } from '../model/index.ts'
import { playSession } from '../operations/play-session.ts'
import { scene } from '../scene.ts'
import { helloSeen } from './hello-seen.ts'
import { playedSession } from './played-session.ts'

test('[A2][U3] with two sessions at work in one directory, undo touches only its own changes', async () => {
  await using s = await scene({
    files: { 'f.txt': 'f\n', 'g.txt': 'g\n', 'both.txt': '1\n2\n3\n4\n5\n' },
  })
  using a = await playedSession(s)
  using b = await playedSession(s, { pid: process.ppid })
  await a.turn('A works', { bash: ['echo A >> f.txt; sed -i s/1/A/ both.txt'] }, () =>
    b.turn('B works', { bash: ['echo B >> g.txt; sed -i s/5/B/ both.txt'] }),
  )

  const undo = await s.retake('undo', '--session', a.id, '--json')
  expect(parseView<ReceiptView>(undo.stdout)).toMatchObject({
    turnsUndone: 1,
    filesReverted: ['both.txt', 'f.txt'],
  })
  expect(await s.files()).toEqual({
    'f.txt': 'f\n',
    'g.txt': 'g\nB\n',
    'both.txt': '1\n2\n3\n4\nB\n',
  })
  expect(await s.retake('undo', '--session', b.id, '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual({ 'f.txt': 'f\n', 'g.txt': 'g\n', 'both.txt': '1\n2\n3\n4\n5\n' })
})

test('[A2][A4] a turn owns what its subagent and its commands wrote, and a file that one made and another edited', async () => {
  await using s = await scene({ files: { 'a.txt': 'a\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await s.retake('install')
  model.on('delegate it', [delegate('sub task'), 'reported'])
  model.on('sub task', [
    write('sub.txt', 's\n'),
    bash('echo more >> a.txt; mkdir d; echo x > d/x'),
    'sub done',
  ])
  model.on('both', [
    bash('printf "1\\n2\\n3\\n" > made.txt'),
    bash('cat made.txt'),
    write('other.txt', 'o\n'),
    bash('sed -i s/2/TWO/ made.txt; rm other.txt'),
    'done',
  ])
  const resume = await helloSeen(s)
  await playSession({ s, agent, prompts: ['delegate it', 'both'], checkpointing: false, resume })

  const log = parseView<LogView>((await s.retake('log', '--json')).stdout)
  expect(log.turns[1]!.files.map(({ path, by }) => `${path} ${by}`).sort()).toEqual([
    'a.txt shell',
    'd/x shell',
    'sub.txt subagent',
  ])
  const delegated = { 'a.txt': 'a\nmore\n', 'd/x': 'x\n', 'sub.txt': 's\n' }
  const both = { ...delegated, 'made.txt': '1\nTWO\n3\n' }
  expect(await s.files()).toEqual(both)
  const status = parseView<StatusView>((await s.retake('status', '--json')).stdout)
  expect(status).toMatchObject({ hooks: 'user', coverage: 'whole-tree', undone: 0 })
  expect(await s.retake('undo', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual(delegated)
  expect(await s.retake('redo', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual(both)
  expect(await s.retake('undo', '2', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual({ 'a.txt': 'a\n' })
})
