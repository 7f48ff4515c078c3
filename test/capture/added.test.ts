import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogView, PlanView, ReceiptView, StatusView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { parseView } from '../cli/schemas.ts'
import { ON_DISK } from '../house/in-memory.ts'
import { bash, scriptedModel } from '../model/index.ts'
import { scene } from '../scene.ts'

test('[sem.A9][sem.A2] commands’ changes in an added directory are undone and redone, and stay where the user changed them', async () => {
  await using s = await scene({ files: { 'a.txt': 'a\n' }, git: true, below: ON_DISK })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  const lib = join(s.root, 'lib')
  const at = (name: string): string => join(lib, name)
  const files = { 'old.txt': 'old\n', 'gone.txt': 'gone\n', 'run.sh': 'x\n', 'moved.txt': 'long enough to be known again\n' } // prettier-ignore
  for (const [name, text] of Object.entries(files)) await s.write(at(name), text)
  await s.write(at('.gitignore'), 'build/\n')
  expect(await s.run('git', ['init', '-q', lib])).toMatchObject({ code: 0 })
  await symlink(lib, join(s.root, 'by-link'))
  expect(await s.retake('install', '--json')).toMatchObject({ code: 0 })
  model.on('work', [
    bash(`echo A > a.txt; cd ${lib}; echo new > old.txt; rm gone.txt; chmod +x run.sh; mv moved.txt there.txt; mkdir -p d/e build; echo n > d/e/n.txt; echo o > build/o.txt`),
    'done',
  ]) // prettier-ignore
  const before = await s.files('../lib')
  await agent.prompt('work', { args: ['--add-dir', join(s.root, 'by-link')] })
  const after = await s.files('../lib')

  const status = parseView<StatusView>((await s.retake('status', '--json')).stdout)
  expect(status).toMatchObject({ unwatchedDirectories: [], coverage: 'whole-tree' })
  const log = parseView<LogView>((await s.retake('log', '--json')).stdout)
  expect(log.turns[0]!.files.map(({ path, change }) => [path, change])).toEqual([
    [at('d/e/n.txt'), 'created'],
    [at('gone.txt'), 'deleted'],
    [at('old.txt'), 'modified'],
    [at('run.sh'), 'mode'],
    [at('there.txt'), 'renamed'],
    ['a.txt', 'modified'],
    [at('build/'), 'created'],
  ])
  const planned = await s.retake('undo', '--dry-run', '--json')
  expect(parseView<PlanView>(planned.stdout).left).toMatchObject([
    { path: at('build/'), kind: 'ignored' },
  ])
  const undone = parseView<ReceiptView>((await s.retake('undo', '--yes', '--json')).stdout)
  expect(undone.filesReverted.toSorted()).toEqual([
    ...['d/e/n.txt', 'gone.txt', 'moved.txt', 'old.txt', 'run.sh', 'there.txt'].map(at),
    'a.txt',
  ])
  expect(await s.files('../lib')).toEqual({ ...before, 'build/o.txt': 'o\n' })
  expect(await s.retake('redo', '--yes')).toMatchObject({ code: 0 })
  expect(await s.files('../lib')).toEqual(after)

  // Files outside the project are never merged, and a conflict stops everything.
  await s.write(at('old.txt'), 'new\nmine\n')
  expect(await s.retake('undo', '--yes')).toMatchObject({ code: 4 })
  expect(await s.read('a.txt')).toBe('A\n')
  const chosen = await s.retake('undo', '--yes', '--choose', '../lib/old.txt=put-back')
  expect(chosen).toMatchObject({ code: 0 })
  expect(await s.files('../lib')).toEqual({ ...before, 'build/o.txt': 'o\n' })

  const held = await s.retake('where', '../lib/old.txt')
  expect(held.stdout).toContain('(current)')
  // A directory that is gone is listed.
  expect(await s.retake('redo', '--yes')).toMatchObject({ code: 0 })
  await rm(lib, { recursive: true })
  const gone = parseView<PlanView>((await s.retake('undo', '--dry-run', '--json')).stdout)
  expect(gone.left).toContainEqual(expect.objectContaining({ path: `${join(s.root, 'by-link')}/` }))
})
