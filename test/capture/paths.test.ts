import { symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { LogView, PlanView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { parseView } from '../cli/schemas.ts'
import { bash, read, scriptedModel, write } from '../model/index.ts'
import { scene } from '../scene.ts'
import { helloSeen } from './hello-seen.ts'

test('[sem.A11] edits under any spelling of a path are undone and redone', async () => {
  await using s = await scene({
    files: { 'a.txt': 'a\n', 'real/b.txt': 'b\n', link: { link: 'real' }, 'sub/c.txt': 'c\n' },
    git: true,
  })
  symlinkSync(s.project, `${s.root}/alias`)
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  expect(await s.retake('install', '--json')).toMatchObject({ code: 0 })
  model.on('spell', [
    bash('cd sub'),
    [read('./c.txt'), read('./../a.txt'), read(`${s.project}/link/b.txt`)],
    [
      write('./c.txt', 'C\n'),
      write('./../sub/new.txt', 'n\n'),
      write(`${s.project}//x/../a.txt`, 'A\n'),
      write(`${s.project}/link/b.txt`, 'B\n'),
      write(`${s.root}/alias/made/m.txt`, 'm\n'),
    ],
    'done',
  ])
  const sessionId = await helloSeen(s)
  const before = await s.files()
  await agent.prompt('spell', { resume: sessionId })
  const after = await s.files()
  const log = parseView<LogView>(
    (await s.retake('log', '--json', '--project', `${s.root}/alias`)).stdout,
  )
  expect(
    log.turns[1]!.files.map(({ path, notes }) => [path, notes.includes('outside-project')]),
  ).toEqual(
    ['sub/c.txt', 'sub/new.txt', 'a.txt', 'real/b.txt', 'made/m.txt'].map((path) => [path, false]),
  )
  const plan = parseView<PlanView>((await s.retake('undo', '--dry-run', '--json')).stdout)
  expect(plan).toMatchObject({ notCovered: [], warnings: [] })
  expect(await s.retake('undo', '--yes')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual(before)
  expect(await s.retake('redo', '--yes')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual(after)
})
