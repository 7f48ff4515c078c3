import { expect, test } from 'vitest'
import type { LogView, PlanView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { scene, type Scene } from '../scene.ts'
import { playedSession } from './played-session.ts'

async function git(s: Scene, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await s.run('git', args)
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trim()
}

test('[sem.A8][sem.O5] git’s changes are one row and stay; the turn’s own writes are undone, committed ones too', async () => {
  await using s = await scene({
    files: {
      'a.txt': 'main a\n',
      'b.txt': 'main b\n',
      'same.txt': '1\n2\n3\n',
      'own.txt': 'own\n',
    },
    git: true,
  })
  await git(s, 'checkout', '-q', '-b', 'feature')
  for (const name of ['a.txt', 'b.txt', 'new.txt']) await s.write(name, `feature ${name}\n`)
  await git(s, 'add', '--all')
  await git(s, 'commit', '-q', '-m', 'the feature')
  await git(s, 'checkout', '-q', 'main')
  using session = await playedSession(s)
  await session.turn(
    'branch and work',
    { bash: ['git checkout -q feature'] },
    { bash: ['sed -i s/2/TWO/ same.txt; git commit -qam "two is louder"'] },
  )
  await session.turn('put away', () => s.write('own.txt', 'own\nmine\n'), {
    bash: ['echo more >> own.txt; git stash -q; echo after > after.txt'],
  })
  const stash = parseView<PlanView>((await s.retake('undo', '--dry-run', '--json')).stdout)
  expect(stash.warnings.join('\n')).toMatch(/turn 3: git stash “WIP on feature”.*`git stash pop`/)
  expect(await s.retake('undo', '--json')).toMatchObject({ code: 0 })
  expect(await s.read('own.txt')).toBe('own\nmine\n')

  const commit = (await git(s, 'rev-parse', 'HEAD')).slice(0, 7)
  const before = (await git(s, 'rev-parse', 'HEAD~1')).slice(0, 7)
  const log = parseView<LogView>((await s.retake('log', '--json')).stdout)
  expect(log.turns[1]).toMatchObject({
    files: [{ path: 'same.txt', change: 'modified', by: 'shell' }],
    git: [
      { did: 'git checkout main → feature', files: 3, undo: 'git checkout main' },
      {
        did: `git commit ${commit} “two is louder”`,
        files: 0,
        undo: `git reset --soft ${before}`,
      },
    ],
  })
  expect((await s.retake('log')).stdout).toMatch(/git checkout main .* feature, 3 files/)

  const plan = parseView<PlanView>((await s.retake('undo', '--dry-run', '--json')).stdout)
  expect(plan.files.map(({ path, verb }) => `${verb} ${path}`)).toEqual(['restore same.txt'])
  expect(plan.warnings).toEqual([
    'turn 2: git checkout main → feature, 3 files; this stays; `git checkout main` would undo it',
    `turn 2: git commit ${commit} “two is louder”; this stays; \`git reset --soft ${before}\` would undo it`,
  ])
  const refs = await git(s, 'for-each-ref')
  expect(await s.retake('undo', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual({
    'a.txt': 'feature a.txt\n',
    'b.txt': 'feature b.txt\n',
    'new.txt': 'feature new.txt\n',
    'same.txt': '1\n2\n3\n',
    'own.txt': 'own\nmine\n',
  })
  expect(await git(s, 'for-each-ref')).toBe(refs)
  expect(await s.retake('redo', '--json')).toMatchObject({ code: 0 })
  expect(await s.read('same.txt')).toBe('1\nTWO\n3\n')
})

test('[sem.K3][sem.A8] an edit on top of a checkout is undone alone; an edit that a reset discarded comes back', async () => {
  await using s = await scene({ files: { 'f.txt': '1\n2\n3\n4\n5\n6\n7\n8\n' }, git: true })
  await git(s, 'checkout', '-q', '-b', 'feature')
  await s.write('f.txt', '0\n1\n2\n3\n4\n5\n6\n7\n8\n')
  await git(s, 'commit', '-qam', 'zero')
  await git(s, 'checkout', '-q', 'main')
  using session = await playedSession(s)
  await session.turn('edit there', {
    bash: ['git checkout -q feature && sed -i s/4/FOUR/ f.txt'],
  })
  // Only git has the content before the edit.
  expect(await s.retake('log', '--json')).toMatchObject({ code: 0 })
  expect(await s.retake('undo', '--json')).toMatchObject({ code: 0 })
  expect(await s.read('f.txt')).toBe('0\n1\n2\n3\n4\n5\n6\n7\n8\n')
  expect(await s.retake('redo', '--json')).toMatchObject({ code: 0 })
  expect(await s.read('f.txt')).toBe('0\n1\n2\n3\nFOUR\n5\n6\n7\n8\n')

  await s.write('f.txt', '0\n1\n2\n3\nFOUR\n5\n6\n7\nmine\n')
  await session.turn('start over', { bash: ['git reset -q --hard HEAD~1'] })
  expect(await s.read('f.txt')).toBe('1\n2\n3\n4\n5\n6\n7\n8\n')
  const plan = parseView<PlanView>((await s.retake('undo', '--dry-run', '--json')).stdout)
  expect(plan.files.map(({ path, verb }) => `${verb} ${path}`)).toEqual(['merge f.txt'])
  expect(await s.retake('undo', '--json')).toMatchObject({ code: 0 })
  expect(await s.read('f.txt')).toBe('1\n2\n3\nFOUR\n5\n6\n7\nmine\n')
  expect(await s.retake('check', '--json')).toMatchObject({ code: 0 })
})

test('[sem.O5] a turn that changed only git is listed with its commits, and with the stash that it popped', async () => {
  await using s = await scene({ files: { 'a.txt': '1\n', 'b.txt': 'b\n' }, git: true })
  using session = await playedSession(s)
  await session.turn('commit elsewhere', {
    bash: [
      'git checkout -q -b side; echo 2 > a.txt; git commit -qam "on the side"; git checkout -q main',
    ],
  })
  const [, row] = parseView<LogView>((await s.retake('log', '--json')).stdout).turns
  expect(row?.files).toEqual([])
  expect(row?.git.map(({ did }) => did)).toEqual([
    'git checkout main → side',
    expect.stringMatching(/^git commit .* “on the side”$/u),
    'git checkout side → main',
  ])
  await s.write('b.txt', 'mine\n')
  await git(s, 'stash', '-q')
  const stash = await git(s, 'rev-parse', '--short=7', 'refs/stash')
  await session.turn('look at the stash', { bash: ['git stash pop -q'] })
  const { stdout } = await s.retake('undo', '--yes')
  expect(stdout).toContain(`git stash pop or drop of ${stash}; this stays`)
  expect(await s.read('b.txt')).toBe('b\n')
  await git(s, 'stash', 'store', stash)
  await git(s, 'stash', 'pop', '-q')
  expect(await s.read('b.txt')).toBe('mine\n')
})

test('[sem.O5] a turn that checked out a commit is undone there without a question, and elsewhere with one', async () => {
  await using s = await scene({ files: { 'f.txt': 'one\n', 'g.txt': 'g\n' }, git: true })
  await s.write('f.txt', 'two\n')
  await git(s, 'commit', '-qam', 'two')
  await git(s, 'branch', 'old', 'HEAD~1')
  await git(s, 'tag', 'first', 'HEAD~1')
  using session = await playedSession(s)
  for (const commit of ['HEAD~1', 'first']) {
    await session.turn(commit, { bash: [`git checkout -q ${commit}; echo G >> g.txt`] })
    await git(s, 'checkout', '-q', 'old')
    expect(await s.retake('undo')).toMatchObject({ code: 4 })
    await git(s, 'checkout', '-q', '--detach')
    expect(await s.retake('undo')).toMatchObject({ code: 0 })
    expect(await s.read('g.txt')).toBe('g\n')
    await git(s, 'checkout', '-q', 'main')
  }
})
