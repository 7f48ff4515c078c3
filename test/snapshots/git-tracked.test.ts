import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporary } from '../crash/world.ts'
import { findRepository } from '../../src/snapshots/git-directory.ts'
import { openTracked } from '../../src/snapshots/git-tracked.ts'

const PATHS = ['a', 'd/b', 'd/e/c', 'd/e/c2', 'd.x', 'd-x/é', 'sub/a', 'sub/d/b', 'subway/a']

function repository(): Disposable & { root: string; git(...words: string[]): string } {
  const t = temporary()
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'core.quotePath=false', ...words], { cwd: t.path, encoding: 'utf8' })
  git('init', '-q')
  for (const path of PATHS) {
    mkdirSync(dirname(join(t.path, path)), { recursive: true })
    writeFileSync(join(t.path, path), path)
  }
  git('add', '.')
  return { root: t.path, git, [Symbol.dispose]: () => t[Symbol.dispose]() }
}

function trackedIn(root: string): string[] {
  const tracked = openTracked(root, findRepository(root))
  const text = (bytes: string): string => Buffer.from(bytes, 'latin1').toString()
  return [...tracked.directories()]
    .flatMap((directory) =>
      tracked
        .namesIn(directory)
        .map((name) => text(directory === '' ? name : `${directory}/${name}`)),
    )
    .toSorted()
}

const WAYS: Readonly<Record<string, readonly string[]>> = {
  'of version 2': ['update-index', '--index-version', '2'],
  'of version 4': ['update-index', '--index-version', '4'],
  'that is split': ['update-index', '--split-index'],
}

for (const [name, words] of Object.entries(WAYS))
  test(`[sem.A7] reads the tracked paths of an index ${name} as git does`, () => {
    using own = repository()
    own.git(...words)
    writeFileSync(join(own.root, 'later'), '')
    own.git('add', 'later')
    const listed = own.git('ls-files').split('\n').filter(Boolean).toSorted()
    expect(listed).toContain('later')
    expect(trackedIn(own.root)).toEqual(listed)
    // A project below the top sees its own paths only.
    expect(trackedIn(join(own.root, 'sub'))).toEqual(['a', 'd/b'])
    const tracked = openTracked(own.root, findRepository(own.root))
    expect(['d/e/c', 'd-x/é', 'd/e', 'e', 'c'].map((path) => tracked.has(path))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect(['d', 'd/e', 'a', 'su', 'sub'].map((path) => tracked.hasBelow(path))).toEqual([
      true,
      true,
      false,
      false,
      true,
    ])
  })

test('[S15] paths of a hostile index that lead out of the project are not read', () => {
  using own = repository()
  const index = join(own.root, '.git/index')
  const bytes = readFileSync(index, 'latin1')
  const hostile = bytes
    .replace('d/e/c\0', '../..\0')
    .replace('d/e/c2', '/etc/x')
    .replace('d.x\0', '/pw\0')
    .replace('d/b\0', '../\0')
  writeFileSync(index, hostile, 'latin1')
  expect(trackedIn(own.root)).toEqual(['a', 'd-x/é', 'sub/a', 'sub/d/b', 'subway/a'])
})
