import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogView, PlanView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { parseView } from '../cli/schemas.ts'
import { bash, edit, read, scriptedModel } from '../model/index.ts'
import { playSession } from '../operations/play-session.ts'
import { scene } from '../scene.ts'

test('[sem.A7] sessions in directories of one repository share its tree, and undo reaches above', async () => {
  await using s = await scene({
    files: { 'up.txt': 'up\n', 'sub/a.txt': 'a\n', 'other/b.txt': 'b\n' },
    git: true,
  })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  const sub = { cwd: join(s.project, 'sub') }
  expect(await s.retake('install', '--json')).toMatchObject({ code: 0 })
  model.on('first', 'hello')
  model.on('above', [
    bash('echo changed > ../up.txt; echo new > ../new.txt; echo A > a.txt'),
    read('../other/b.txt'),
    edit('../other/b.txt', 'b', 'B'),
    'done',
  ])
  model.on('beside', [bash('echo c > c.txt; echo beside > ../beside.txt'), 'done'])
  const before = await s.files()
  await playSession({ s, agent, prompts: ['first', 'above'], checkpointing: false, ...sub })
  await agent.prompt('beside', { cwd: join(s.project, 'other') })

  const log = parseView<LogView>((await s.retake('log', '--json', sub)).stdout)
  expect(log.turns[1]).toMatchObject({ coverage: 'whole-tree' })
  expect(log.turns[1]!.files.map(({ path }) => path).toSorted()).toEqual([
    'new.txt',
    'other/b.txt',
    'sub/a.txt',
    'up.txt',
  ])
  const plan = parseView<PlanView>((await s.retake('undo', '--dry-run', '--json', sub)).stdout)
  expect(plan.left).toEqual([])
  expect(await s.retake('undo', '--yes', sub)).toMatchObject({ code: 0 })
  // What the other session did stays.
  expect(await s.files()).toEqual({ ...before, 'beside.txt': 'beside\n', 'other/c.txt': 'c\n' })
})
