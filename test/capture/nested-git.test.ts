import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { gitMovesSince, readGitPlace } from '#snapshots'
import { world } from '../crash/world.ts'
import { takeNestedMoves } from '../../src/engine/witness/nested-git.ts'

const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.invalid']
const gitIn =
  (cwd: string) =>
  (...args: string[]): void =>
    void execFileSync('git', [...who, ...args], { cwd, stdio: 'pipe' })

test('[sem.O5] commits and stashes in repositories inside the project are found, each once', () => {
  using w = world()
  const store = w.open()
  const nested = join(w.project, 'lib/nested')
  mkdirSync(nested, { recursive: true })
  const [outer, inner] = [gitIn(w.project), gitIn(nested)]
  for (const git of [outer, inner]) {
    git('init', '-q', '-b', 'main')
    git('commit', '-q', '--allow-empty', '-m', 'first')
  }
  writeFileSync(join(w.project, 'f'), '1\n')
  outer('add', 'f')
  outer('commit', '-q', '-m', 'second')
  outer('worktree', 'add', '-q', 'tree')
  const left = ['.git', 'lib/nested/.git', 'tree/.git'].map((path) => ({ path, why: 'repository' }))
  const take = (): string[] =>
    takeNestedMoves(store, w.project, left, null).map(
      ({ root, kind, subject }) => `${root?.slice(w.project.length + 1)} ${kind} ${subject}`,
    )
  expect(take()).toEqual([])
  inner('commit', '-q', '--allow-empty', '-m', 'inside')
  gitIn(join(w.project, 'tree'))('commit', '-q', '--allow-empty', '-m', 'beside')
  writeFileSync(join(w.project, 'f'), '2\n')
  // The worktree has the same stash: the scan of the project itself finds it.
  outer('stash', '-q')
  expect(take()).toEqual(['lib/nested commit inside', 'tree commit beside'])
  expect(take()).toEqual([])
})

test('[sem.O5] commits in a worktree that is new since the last scan are found', () => {
  using w = world()
  const store = w.open()
  const outer = gitIn(w.project)
  outer('init', '-q', '-b', 'main')
  outer('commit', '-q', '--allow-empty', '-m', 'first')
  const take = (lastScan: number | null, ...tops: string[]): string[] =>
    takeNestedMoves(
      store,
      w.project,
      tops.map((top) => ({ path: `${top}/.git`, why: 'repository' })),
      lastScan,
    ).map(({ root, kind, subject }) => `${root?.slice(w.project.length + 1)} ${kind} ${subject}`)
  const began = Date.now()
  // What is there at the first scan is history.
  outer('worktree', 'add', '-q', 'old')
  gitIn(join(w.project, 'old'))('commit', '-q', '--allow-empty', '-m', 'earlier')
  expect(take(null, 'old')).toEqual([])
  outer('worktree', 'add', '-q', 'new')
  // Git's time is not the clock's if someone sets it.
  vi.stubEnv('GIT_COMMITTER_DATE', '2001-01-01T00:00:00Z')
  gitIn(join(w.project, 'new'))('commit', '-q', '--allow-empty', '-m', 'in the turn')
  vi.unstubAllEnvs()
  expect(take(began, 'old', 'new')).toContain('new commit in the turn')
  expect(take(began, 'old', 'new')).toEqual([])
  // A worktree that was moved brings its old log.
  outer('worktree', 'move', 'new', 'moved')
  expect(take(Date.now() + 2000, 'old', 'moved')).toEqual([])
})

test('[sem.O5] a stash that is popped and made again between two scans is a new one', () => {
  using w = world()
  const git = gitIn(w.project)
  const file = join(w.project, 'f')
  writeFileSync(file, '1\n')
  git('init', '-q', '-b', 'main')
  git('add', 'f')
  git('commit', '-q', '-m', 'first')
  writeFileSync(file, '2\n')
  git('stash', '-q')
  const place = readGitPlace(w.project)!
  expect(gitMovesSince(w.project, place)).toEqual([])
  git('stash', 'pop', '-q')
  writeFileSync(file, '3\n')
  git('stash', '-q')
  expect(gitMovesSince(w.project, place).filter(({ kind }) => kind === 'stash')).toHaveLength(1)
})
