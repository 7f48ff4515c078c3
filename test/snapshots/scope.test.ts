import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { durableDisk, nameBytes, ownNames } from '#disk'
import { temporary, world } from '../crash/world.ts'
import { asPlatform } from '../house/as-platform.ts'
import { findRepository } from '../../src/snapshots/git-directory.ts'
import type { UserGit } from '../../src/snapshots/git-ignoring.ts'
import {
  judge,
  outerScope,
  readOuterRules,
  refuseScope,
  scopeOf,
  stickyPaths,
} from '../../src/snapshots/scope.ts'

const none = stickyPaths([])

function put(root: string, path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function initRepository(path: string): void {
  execFileSync('git', ['init', '--quiet', path])
}

function rootScope(
  root: string,
  excludes: string | null = null,
  included: string[] = [],
  { configs = [], home = null }: Partial<UserGit> = {},
) {
  const git = { excludes, configs, home }
  return outerScope(readOuterRules(root, findRepository(root), git, included), none)
}

const file = { isDirectory: false }
const directory = { isDirectory: true }

describe('[FT20] a directory that is not a project is refused', () => {
  function refuse(root: string, places: { home: string; store: string }): () => void {
    const stat = durableDisk.stat(nameBytes(`${root}/.`))!
    return () => refuseScope({ disk: durableDisk, root: { path: root, stat }, ...places })
  }
  const refused = expect.objectContaining({ code: 'scope-refused', hint: expect.any(String) })

  test('the home, its parents, and the root directory', () => {
    using w = world()
    const home = join(w.path, 'people/me')
    mkdirSync(join(home, 'code'), { recursive: true })
    const places = { home, store: w.directory }
    expect(refuse(home, places)).toThrow(refused)
    expect(refuse(dirname(home), places)).toThrow(refused)
    expect(refuse('/', places)).toThrow(refused)
    expect(refuse(join(home, 'code'), places)).not.toThrow()
  })

  test('a directory that contains the store, also through a link', () => {
    using w = world()
    symlinkSync(w.data, join(w.path, 'link'))
    const places = { home: join(w.path, 'project'), store: w.directory }
    expect(refuse(w.data, places)).toThrow(refused)
    expect(refuse(join(w.path, 'link'), places)).toThrow(refused)
  })
})

describe('[sem.A7] scope', () => {
  test('`.git` in any spelling and Retake’s own names are never in it', () => {
    const scope = scopeOf(rootScope('/'), '', null, false)
    for (const name of ['.git', '.GIT', '.g\u200cit', 'git~1', '.git ', ownNames('x', 1).stage])
      expect(judge(scope, name, directory)).toBe('out')
    for (const name of ['.gitignore', '.github', 'git', 'gitlab', '.gitmodules'])
      expect(judge(scope, name, directory)).toBe('in')
  })

  test('what Finder writes is not recorded on macOS, unless git tracks it', async () => {
    const names = ['.DS_Store', '._notes.md', '.DS_Store.md', '.dot']
    const judged = (): string[] => {
      const tracked = { has: (path: string) => path === 'd/._kept', hasBelow: () => false }
      const root = scopeOf(outerScope([], none, { tracked }), '', null, false)
      const inside = scopeOf(root, 'd', null, false)
      return [...names, '._kept'].map((name) => judge(inside, name, file))
    }
    expect(await asPlatform('linux', judged)).toEqual(['in', 'in', 'in', 'in', 'in'])
    expect(await asPlatform('darwin', judged)).toEqual(['out', 'out', 'in', 'in', 'in'])
  })

  test('the ignore file that `core.excludesFile` names is obeyed', () => {
    using t = temporary()
    const root = join(t.path, 'r')
    initRepository(root)
    put(t.path, 'default', 'a/\n')
    put(t.path, 'named ignores', 'b/\n')
    put(t.path, 'system', '[core]\n\texcludesFile = /nowhere\n')
    put(t.path, 'mine', '[user]\nexcludesfile = /no\n[Core] excludesfile = "~/named ignores" ; x\n')
    const configs = ['system', 'mine', 'none'].map((name) => join(t.path, name))
    const judged = (more: Partial<UserGit>): string[] => {
      const outer = rootScope(root, join(t.path, 'default'), [], more)
      const scope = scopeOf(outer, '', null, false)
      return ['a', 'b'].map((name) => judge(scope, name, directory))
    }
    expect(judged({})).toEqual(['out', 'in'])
    expect(judged({ configs, home: t.path })).toEqual(['in', 'out'])
    execFileSync('git', ['-C', root, 'config', 'core.excludesFile', join(t.path, 'default')])
    expect(judged({ configs, home: t.path })).toEqual(['out', 'in'])
  })

  test('with `core.ignorecase` an ignore file applies in any case, as in git', () => {
    using t = temporary()
    initRepository(t.path)
    const ignored = (): string[] => {
      const scope = scopeOf(rootScope(t.path), '', Buffer.from('Build/\n/Out/*.O/\n'), false)
      const out = scopeOf(scope, 'out', null, false)
      return [
        ...['Build', 'build', 'BUILD', 'rebuild'].map((name) => judge(scope, name, directory)),
        judge(out, 'x.o', directory),
      ]
    }
    expect(ignored()).toEqual(['out', 'in', 'in', 'in', 'in'])
    execFileSync('git', ['-C', t.path, 'config', 'core.ignorecase', 'true'])
    expect(ignored()).toEqual(['out', 'out', 'out', 'in', 'out'])
    const check = ['Build', 'build', 'BUILD', 'rebuild', 'out/x.o'].map((path) => `${path}/f`)
    put(t.path, '.gitignore', 'Build/\n/Out/*.O/\n')
    const says = execFileSync('git', ['-C', t.path, 'check-ignore', '--no-index', ...check], {
      encoding: 'utf8',
    })
    expect(says.trim().split('\n')).toEqual(check.filter((path) => path !== 'rebuild/f'))
  })

  test('a path that stays in scope is reached through ignored directories', () => {
    const sticky = stickyPaths(['dist/deep/o.js'])
    const scope = scopeOf(outerScope([], sticky), '', Buffer.from('dist/\n'), false)
    expect(judge(scope, 'dist', directory)).toBe('partial')
    const dist = scopeOf(scope, 'dist', Buffer.from('!*'), true)
    expect(judge(dist, 'other.js', file)).toBe('out')
    expect(judge(dist, 'deep', directory)).toBe('partial')
    expect(judge(scopeOf(dist, 'dist/deep', null, true), 'o.js', file)).toBe('in')
  })

  test('a file that git tracks is in scope in an ignored directory, and its neighbours are not', () => {
    const tracked = {
      has: (path: string) => path === 'dist/kept.js',
      hasBelow: (path: string) => path === 'dist',
    }
    const outer = outerScope([], none, { tracked })
    const scope = scopeOf(outer, '', Buffer.from('dist/\n'), false)
    expect(judge(scope, 'dist', directory)).toBe('partial')
    const dist = scopeOf(scope, 'dist', null, true)
    expect(judge(dist, 'kept.js', file)).toBe('in')
    expect(judge(dist, 'other.js', file)).toBe('out')
  })

  test('an ignored file is in scope if no directory above it is ignored', () => {
    const scope = scopeOf(outerScope([], none), '', Buffer.from('dist/\n.env*\n*.log\n'), false)
    for (const name of ['.env', 'a.log', 'dist']) expect(judge(scope, name, file)).toBe('in')
    expect(judge(scope, 'dist', directory)).toBe('out')
    expect(judge(scope, 'a.log', directory)).toBe('out')
  })

  test('the rules above a project inside a repository apply to it', () => {
    using t = temporary()
    initRepository(t.path)
    put(t.path, '.gitignore', 'apps/web/made/\n*.log\n')
    put(t.path, 'apps/.gitignore', '!keep.log\nweb/secret\n')
    put(t.path, '.git/info/exclude', '/apps/web/own\n')
    put(t.path, 'global', '*.swp\n')
    mkdirSync(join(t.path, 'apps/web'))
    const scope = rootScope(join(t.path, 'apps/web'), join(t.path, 'global'))
    const names = ['made', 'a.log', 'keep.log', 'secret', 'own', 'x.swp', 'src']
    expect(names.filter((name) => judge(scope, name, directory) === 'out')).toEqual([
      'made',
      'a.log',
      'secret',
      'own',
      'x.swp',
    ])
  })

  test('a project that is itself ignored is completely in scope', () => {
    using t = temporary()
    initRepository(t.path)
    put(t.path, '.gitignore', 'vendor/\n*.log\n')
    mkdirSync(join(t.path, 'vendor/lib'), { recursive: true })
    expect(judge(rootScope(join(t.path, 'vendor/lib')), 'a.log', file)).toBe('in')
  })

  test('a worktree and a submodule name their repository in a file', () => {
    using t = temporary()
    const main = join(t.path, 'main')
    const git = (...args: string[]): void => void execFileSync('git', ['-C', main, ...args])
    initRepository(main)
    git('-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '--quiet', '--allow-empty', '-mx')
    git('worktree', 'add', '--quiet', join(t.path, 'side'))
    expect(findRepository(join(t.path, 'side'))).toEqual({
      top: join(t.path, 'side'),
      directory: join(main, '.git/worktrees/side'),
      common: join(main, '.git'),
    })
    expect(findRepository(t.path)).toBeNull()
  })

  test('an unreadable ignore file ignores nothing', () => {
    using t = temporary()
    initRepository(t.path)
    put(t.path, '.git/info/exclude', '*\n')
    chmodSync(join(t.path, '.git/info/exclude'), 0)
    rootScope(t.path)
    symlinkSync(join(t.path, 'nowhere'), join(t.path, 'dangling'))
    expect(judge(rootScope('/', join(t.path, 'dangling')), 'a', file)).toBe('in')
  })
})

test('[sem.A7] ignored files that the user names are in scope, without scanning their directories', () => {
  using w = temporary()
  initRepository(w.path)
  put(w.path, '.gitignore', 'build/\n.env*\nnode_modules/\n')
  const scope = (included: string[]) =>
    scopeOf(
      rootScope(w.path, null, included),
      '',
      Buffer.from('build/\n.env*\nnode_modules/\n'),
      false,
    )
  expect(judge(scope([]), 'build', directory)).toBe('out')
  const now = scope(['build/keep/*.json', '/dist/'])
  expect(judge(now, 'node_modules', directory)).toBe('out')
  expect(judge(now, 'build', directory)).toBe('partial')
  const build = scopeOf(now, 'build', null, true)
  expect(judge(build, 'out.js', file)).toBe('out')
  expect(judge(build, 'other', directory)).toBe('out')
  expect(judge(build, 'keep', directory)).toBe('partial')
  const keep = scopeOf(build, 'build/keep', null, true)
  expect(judge(keep, 'a.json', file)).toBe('in')
  expect(judge(keep, 'a.js', file)).toBe('out')
})
