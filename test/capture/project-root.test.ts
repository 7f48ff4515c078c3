import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openMachine, openProject, type Machine } from '#engine'
import { leftOfOldProject } from '../../src/engine/plan/left-of.ts'
import { projectRoot, unwatchedTop } from '../../src/engine/ground/project-root.ts'
import { readEnvironment } from '../../src/cli/environment.ts'
import { temporary } from '../crash/world.ts'

interface Ground extends Disposable {
  readonly machine: Machine
  readonly at: (path: string) => string
  /** As a newly started process finds it. */
  root(start: string): string
}

/** A home with one repository in `home/repo`. */
function ground(): Ground {
  const t = temporary()
  const top = realpathSync(t.path)
  const at = (path: string): string => join(top, path)
  mkdirSync(at('home/repo/sub/deep'), { recursive: true })
  git(at('home/repo'), 'init', '--quiet')
  const { places } = readEnvironment({ HOME: at('home'), PATH: '' }, {})
  const open = (): Machine => openMachine(places, { now: () => new Date(), newId: () => 'x' })
  const machine = open()
  return {
    machine,
    at,
    root(start) {
      using fresh = open()
      return projectRoot(fresh, at(start)).slice(top.length + 1)
    },
    [Symbol.dispose]() {
      machine[Symbol.dispose]()
      t[Symbol.dispose]()
    },
  }
}

function git(path: string, ...args: string[]): void {
  mkdirSync(path, { recursive: true })
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args], { cwd: path })
}

function put(path: string, text = ''): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

test('[sem.A7] the root is the top of the repository, or the start directory without one', () => {
  using g = ground()
  expect(g.root('home/repo')).toBe('home/repo')
  expect(g.root('home/repo/sub/deep')).toBe('home/repo')
  mkdirSync(g.at('home/plain/sub'), { recursive: true })
  expect(g.root('home/plain/sub')).toBe('home/plain/sub')
  // A submodule, a nested clone and a worktree have their own tree.
  git(g.at('home/repo/nested/in'), 'init', '--quiet', '..')
  expect(g.root('home/repo/nested/in')).toBe('home/repo/nested')
  git(g.at('home/repo'), 'commit', '--quiet', '--allow-empty', '-mx')
  git(g.at('home/repo'), 'worktree', 'add', '--quiet', g.at('home/side'))
  mkdirSync(g.at('home/side/sub'))
  expect(g.root('home/side/sub')).toBe('home/side')
})

test('[FT20] a home directory’s repository, or one that ignores the directory, is not the root', () => {
  using g = ground()
  put(g.at('home/repo/.gitignore'), 'out/\n')
  mkdirSync(g.at('home/repo/out/app'), { recursive: true })
  expect(g.root('home/repo/out/app')).toBe('home/repo/out/app')
  expect(unwatchedTop(g.at('home/repo/out/app'))).toBe(g.at('home/repo'))
  mkdirSync(g.at('home/plain'))
  git(g.at('home'), 'init', '--quiet')
  expect(g.root('home/plain')).toBe('home/plain')
  expect(unwatchedTop(g.at('home/plain'))).toBe(g.at('home'))
  git(g.at(''), 'init', '--quiet')
  rmSync(g.at('home/.git'), { recursive: true })
  expect(g.root('home/plain')).toBe('home/plain')
})

test('[sem.A7] a root stays the same, whatever happens to the repository', () => {
  using g = ground()
  using project = openProject(g.machine, g.at('home/repo/sub'))
  expect(project.path).toBe(g.at('home/repo'))
  git(g.at('home/repo/sub'), 'init', '--quiet')
  expect(g.root('home/repo/sub')).toBe('home/repo')
  rmSync(g.at('home/repo/sub/.git'), { recursive: true })
  rmSync(g.at('home/repo/.git'), { recursive: true })
  expect(g.root('home/repo/sub')).toBe('home/repo')
  // A directory that already has a store keeps it.
  mkdirSync(g.at('home/plain/sub'), { recursive: true })
  using _ = openProject(g.machine, g.at('home/plain/sub'))
  git(g.at('home/plain'), 'init', '--quiet')
  expect(g.root('home/plain/sub')).toBe('home/plain/sub')
  expect(g.root('home/plain/other')).toBe('home/plain')
})

test('[sem.A5] a project directory that was deleted and created again is reported as a different one', () => {
  using g = ground()
  const path = g.at('home/repo')
  {
    using first = openProject(g.machine, path)
    expect(leftOfOldProject(first)).toEqual([])
  }
  // Moved, not deleted, because a new directory could get the inode number of a deleted one.
  renameSync(path, g.at('home/old'))
  mkdirSync(path)
  using second = openProject(g.machine, path)
  expect(leftOfOldProject(second)).toMatchObject([{ path: null, kind: 'not-covered' }])
})
