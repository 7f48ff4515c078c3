import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogView, PlanView, ReceiptView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { parseView } from '../cli/schemas.ts'
import { ON_DISK } from '../house/in-memory.ts'
import { edit, read, scriptedModel, write } from '../model/index.ts'
import { playSession } from '../operations/play-session.ts'
import { scene } from '../scene.ts'
import { playedSession } from './played-session.ts'

test('[sem.A7][sem.A9] sessions in directories of one repository share its tree, and undo reaches above the start directory', async () => {
  await using s = await scene({
    files: { 'up.txt': 'up\n', 'sub/a.txt': 'a\n', 'other/b.txt': 'b\n' },
    git: true,
    below: ON_DISK,
  })
  const sub = { cwd: join(s.project, 'sub') }
  const before = await s.files()
  using session = await playedSession(s, sub)
  await session.turn(
    'above',
    { bash: ['echo changed > ../up.txt; echo new > ../new.txt; echo A > a.txt'] },
    { edit: '../other/b.txt', old: 'b', new: 'B' },
  )
  using other = await playedSession(s, { cwd: join(s.project, 'other') })
  await other.turn('beside', { bash: ['echo c > c.txt; echo beside > ../beside.txt'] })

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
  // The other session's changes stay.
  expect(await s.files()).toEqual({ ...before, 'beside.txt': 'beside\n', 'other/c.txt': 'c\n' })
})

test('[sem.A9] edits outside are undone in added and agreed directories, and only listed elsewhere', async () => {
  await using s = await scene({ files: { 'a.txt': 'a\n' }, git: true, below: ON_DISK })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  const [added, agreed] = [join(s.root, 'added'), join(s.root, 'agreed')]
  await s.write(join(agreed, 'y.txt'), 'one\ntwo\nthree\nfour\nfive\n')
  await mkdir(added)
  const [x, y] = [join(added, 'new/x.txt'), join(agreed, 'y.txt')]
  model.on('first', 'hello')
  model.on('outside', [[write(x, 'x\n'), read(y)], edit(y, 'one', 'ONE'), edit('a.txt', 'a', 'A'), 'done']) // prettier-ignore
  const [prompts, args] = [
    ['first', 'outside'],
    ['--add-dir', added],
  ]
  await playSession({ s, agent, prompts, checkpointing: false, args })
  const plan = async (...args: string[]): Promise<PlanView> =>
    parseView<PlanView>((await s.retake('undo', '--dry-run', '--json', ...args)).stdout)
  const outside = { path: y, kind: 'outside', agree: agreed }

  const first = await plan()
  expect(first.files.map(({ path, verb }) => [path, verb])).toEqual([[x, 'delete'], ['a.txt', 'restore']]) // prettier-ignore
  expect(first.left).toMatchObject([outside])
  const receipt = parseView<ReceiptView>((await s.retake('undo', '--yes', '--json')).stdout)
  expect(receipt).toMatchObject({ filesReverted: [x, 'a.txt'], left: [outside] })
  expect(await readdir(added)).toEqual([])
  expect(await s.retake('redo', '--yes')).toMatchObject({ code: 0 })
  expect(await s.read(x)).toBe('x\n')

  // Agreed to once; a file that changed since is a conflict, even if the changes are far apart.
  for (const never of [s.home, '/etc', s.claudeDir])
    expect(await s.retake('undo', '--yes', '--agree', never)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(never),
    })
  expect((await plan('--agree', agreed)).left).toEqual([])
  await s.write(y, 'ONE\ntwo\nthree\nfour\nFIVE\n')
  expect(await s.retake('undo', '--yes', '--agree', agreed)).toMatchObject({ code: 4 })
  await s.write(y, 'ONE\ntwo\nthree\nfour\nfive\n')
  expect(await s.retake('undo', '--yes')).toMatchObject({ code: 0 })
  expect(await s.read(y)).toBe('one\ntwo\nthree\nfour\nfive\n')

  // The agreement is listed, and ends when it is revoked.
  expect((await s.retake('settings')).stdout).toContain(agreed)
  await s.retake('settings', 'set', 'directories', 'none')
  const redone = await s.retake('redo', '--yes')
  expect(redone.stdout).toContain(`${y}: it is in a directory that you have not agreed to`)
  expect(await s.read(y)).toMatch(/^one/)
})
