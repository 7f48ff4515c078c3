import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contentIdOf, getContent, hasContent } from '#store'
import type { ContentId } from '#timeline'
import { indexedId, placesIn, readIndex } from '../../src/snapshots/git-index.ts'
import { openGitObjects } from '../../src/snapshots/git-objects.ts'
import {
  copyAllBorrowed,
  copyBorrowed,
  copySmallRepository,
} from '../../src/snapshots/copy-borrowed.ts'
import { closeProject, observe } from '../../src/snapshots/observe.ts'
import type { Project } from '../../src/snapshots/observe.ts'
import { temporary } from '../crash/world.ts'
import { paths, valuesOf, watched, type Watched } from './observed.ts'

const ENV = {
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'x',
  GIT_AUTHOR_EMAIL: 'x@example.invalid',
  GIT_COMMITTER_NAME: 'x',
  GIT_COMMITTER_EMAIL: 'x@example.invalid',
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd,
    env: { ...ENV, ...globalConfig },
    encoding: 'utf8',
  }).trim()
}

function put(root: string, path: string, content: string | Buffer = `${path}\n`): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

let globalConfig: { GIT_CONFIG_GLOBAL?: string } = {}

/** Commits everything, and makes the files old enough for git to trust their times. */
function commit(root: string): void {
  if (!existsSync(join(root, '.git'))) git(root, 'init', '--quiet')
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--allow-empty', '-mx')
  // A later index proves that the files were old when git read them.
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(root, '.git/index'), later, later)
}

const settings = { configs: [], attributes: [] }

interface Borrowed extends Watched {
  readonly project: Project
}

function borrowed(): Borrowed {
  const w = watched()
  const project = { ...w.project, gitSettings: settings }
  return {
    ...w,
    project,
    [Symbol.dispose]() {
      closeProject(project)
      w[Symbol.dispose]()
    },
  }
}

function idOf(text: string): ContentId {
  return contentIdOf(Buffer.from(text))
}

describe('[sem.K3] contents that git has are borrowed', () => {
  test('the first snapshot of a clean tree stores nothing, and has the commit’s tree id', () => {
    using w = borrowed()
    put(w.path, 'a')
    put(w.path, 'src/b')
    chmodSync(join(w.path, 'src/b'), 0o755)
    commit(w.path)
    put(w.path, 'untracked')
    const seen = observe(w.project)
    expect(seen.stored).toBe('untracked\n'.length)
    rmSync(join(w.path, 'untracked'))
    expect(observe(w.project).tree).toBe(git(w.path, 'rev-parse', 'HEAD^{tree}'))
  })

  test('also with an index so large that threads read ahead', () => {
    using w = borrowed()
    const long = 'x'.repeat(180)
    const at = (n: number): string => `d${n % 9}/${n}${long}/${long}`
    for (let n = 0; n < 2100; n += 1) put(w.path, at(n), 'x')
    commit(w.path)
    put(w.path, at(3), 'changed')
    put(w.path, `${dirname(at(4))}/new`, 'new')
    rmSync(join(w.path, dirname(at(5))), { recursive: true })
    expect(lstatSync(join(w.path, '.git/index')).size).toBeGreaterThan(900_000)
    const seen = observe(w.project)
    expect(seen.stored).toBe('changednew'.length)
    commit(w.path)
    expect(seen.tree).toBe(git(w.path, 'rev-parse', 'HEAD^{tree}'))
  })

  test('[sem.A7] also from files that are ignored now but tracked by git', () => {
    using w = borrowed()
    put(w.path, 'd/a.txt')
    put(w.path, 'd/b')
    commit(w.path)
    put(w.path, '.gitignore', 'd/\n')
    put(w.path, 'd/new')
    observe(w.project)
    expect([...valuesOf(w.project).keys()]).toEqual(['.gitignore', 'd/a.txt', 'd/b'])
  })

  test('and copied by the observation that makes it a before', () => {
    using w = borrowed()
    put(w.path, 'a', 'one\n')
    commit(w.path)
    observe(w.project)
    expect(hasContent(w.project.store, idOf('one\n'))).toBe(false)
    put(w.path, 'a', 'two\n')
    const change = observe(w.project).changed.get(paths('a')[0]!)
    expect(change?.before).toMatchObject({ content: idOf('one\n') })
    expect(getContent(w.project.store, idOf('one\n')).toString()).toBe('one\n')
  })

  test('[sem.A6] if git lost it, the before is unknown, never absent', () => {
    using w = borrowed()
    put(w.path, 'a', 'one\n')
    commit(w.path)
    observe(w.project)
    rmSync(join(w.path, '.git/objects'), { recursive: true })
    mkdirSync(join(w.path, '.git/objects'))
    put(w.path, 'a', 'two\n')
    expect(observe(w.project).changed.get(paths('a')[0]!)?.before.kind).toBe('unknown')
    expect(copyBorrowed(w.project, [idOf('one\n')])).toEqual({ missing: [idOf('one\n')] })
  })

  test('of a small repository everything is copied, so that losing it loses no file', () => {
    using w = borrowed()
    put(w.path, 'a', 'one\n')
    put(w.path, 'b', 'two\n')
    commit(w.path)
    observe(w.project)
    copySmallRepository(w.project)
    rmSync(join(w.path, '.git'), { recursive: true })
    rmSync(join(w.path, 'a'))
    const change = observe(w.project).changed.get(paths('a')[0]!)
    expect(change?.before).toMatchObject({ content: idOf('one\n') })
    expect(getContent(w.project.store, idOf('two\n')).toString()).toBe('two\n')
  })

  test('if git is gone, contents that are still in the files are copied from there', () => {
    using w = borrowed()
    put(w.path, 'a', 'one\n')
    put(w.path, 'b', 'two\n')
    commit(w.path)
    observe(w.project)
    rmSync(join(w.path, '.git'), { recursive: true })
    rmSync(join(w.path, 'a'))
    copyAllBorrowed(w.project)
    expect(hasContent(w.project.store, idOf('one\n'))).toBe(false)
    expect(getContent(w.project.store, idOf('two\n')).toString()).toBe('two\n')
  })

  test('a damaged object is never returned', () => {
    using w = borrowed()
    put(w.path, 'a', 'one\n')
    put(w.path, 'b', 'other\n')
    commit(w.path)
    observe(w.project)
    const loose = (text: string): string =>
      join(w.path, '.git/objects', idOf(text).slice(0, 2), idOf(text).slice(2))
    chmodSync(loose('one\n'), 0o600)
    writeFileSync(loose('one\n'), readFileSync(loose('other\n')))
    expect(copyBorrowed(w.project, [idOf('one\n'), idOf('other\n')])).toEqual({
      missing: [idOf('one\n')],
    })
  })

  test('from packs with delta chains, also after git repacked them', () => {
    using w = borrowed()
    const lines = Array.from({ length: 400 }, (_, n) => `line ${n} of a file that changes a little`)
    const texts: string[] = []
    for (let version = 0; version < 12; version += 1) {
      lines[version * 30] = `changed in version ${version}`
      texts.push(`${lines.join('\n')}\n`)
      put(w.path, 'big', texts.at(-1))
      commit(w.path)
    }
    const ids = texts.map(idOf)
    using objects = openGitObjects(join(w.path, '.git/objects'))
    expect(objects.readBlob(ids[0]!)?.toString()).toBe(texts[0])
    git(w.path, 'repack', '-adq', '--depth=50', '--window=50')
    git(w.path, 'prune-packed')
    for (const [n, id] of ids.entries()) expect(objects.readBlob(id)?.toString()).toBe(texts[n])
    expect(git(w.path, 'verify-pack', '-v', ...packs(w.path))).toMatch(/chain length = [4-9]/u)
    expect(copyBorrowed(w.project, ids)).toEqual({ missing: [] })
    expect(objects.has(Buffer.alloc(20), 0)).toBe(false)
  })
})

function packs(root: string): string[] {
  const directory = join(root, '.git/objects/pack')
  return readdirSync(directory)
    .filter((name) => name.endsWith('.idx'))
    .map((name) => join(directory, name))
}

describe('[sem.K3] git is not trusted where it may store other bytes', () => {
  const crlf = 'one\r\ntwo\r\n'
  test.each([
    ['core.autocrlf', { config: 'autocrlf', value: 'true' }],
    ['a .gitattributes', { attributes: '* text=auto eol=crlf\n' }],
    ['a .gitattributes in a directory', { below: '*.txt text\n' }],
    ['info/attributes', { info: '* text\n' }],
  ])('%s', (_name, how: Record<string, string>) => {
    using w = borrowed()
    git(w.path, 'init', '--quiet')
    if (how['config'] !== undefined) git(w.path, 'config', 'core.autocrlf', 'true')
    if (how['attributes'] !== undefined) put(w.path, '.gitattributes', how['attributes'])
    if (how['below'] !== undefined) put(w.path, 'd/.gitattributes', how['below'])
    if (how['info'] !== undefined) put(w.path, '.git/info/attributes', how['info'])
    put(w.path, 'd/a.txt', crlf)
    commit(w.path)
    expect(git(w.path, 'ls-files', '-s', 'd/a.txt')).toContain(idOf(crlf.replaceAll('\r', '')))
    observe(w.project)
    expect(valuesOf(w.project).get('d/a.txt')).toMatchObject({ content: idOf(crlf) })
    expect(getContent(w.project.store, idOf(crlf)).toString()).toBe(crlf)
  })

  test('the user’s own settings', () => {
    using w = borrowed()
    using t = temporary()
    const config = join(t.path, 'gitconfig')
    writeFileSync(config, '[core] autocrlf = input\n')
    put(w.path, 'a', crlf)
    globalConfig = { GIT_CONFIG_GLOBAL: config }
    commit(w.path)
    globalConfig = {}
    observe({ ...w.project, gitSettings: { configs: [config], attributes: [] } })
    expect(hasContent(w.project.store, idOf(crlf))).toBe(true)
  })

  test.each(['--assume-unchanged', '--skip-worktree'])(
    'a file under git update-index %s',
    (flag) => {
      using w = borrowed()
      put(w.path, 'a', 'one\n')
      commit(w.path)
      git(w.path, 'update-index', flag, 'a')
      put(w.path, 'a', 'two\n')
      observe(w.project)
      expect(valuesOf(w.project).get('a')).toMatchObject({ content: idOf('two\n') })
    },
  )

  test('a file that changed right before git wrote its index', () => {
    using w = borrowed()
    put(w.path, 'a', 'one\n')
    commit(w.path)
    const { mtime } = lstatSync(join(w.path, 'a'))
    utimesSync(join(w.path, '.git/index'), mtime, mtime)
    expect(observe(w.project).stored).toBe(0)
    // Read, found equal to git's content, and borrowed after all.
    expect(valuesOf(w.project).get('a')).toMatchObject({ content: idOf('one\n') })

    // Changed again in the same tick: the index has the file's exact stat and other bytes.
    using other = borrowed()
    put(other.path, 'd/a', 'one\n')
    commit(other.path)
    put(other.path, 'd/a', 'two\n')
    const { ctimeNs, mtimeNs, ino } = lstatSync(join(other.path, 'd/a'), { bigint: true })
    const index = readFileSync(join(other.path, '.git/index'))
    for (const [n, time] of [ctimeNs, mtimeNs].entries()) {
      index.writeUInt32BE(Number(time / 1_000_000_000n), 12 + 8 * n)
      index.writeUInt32BE(Number(time % 1_000_000_000n), 16 + 8 * n)
    }
    index.writeUInt32BE(Number(BigInt.asUintN(32, ino)), 32)
    createHash('sha1')
      .update(index.subarray(0, -20))
      .digest()
      .copy(index, index.length - 20)
    writeFileSync(join(other.path, '.git/index'), index)
    const seconds = Number(mtimeNs) / 1e9
    utimesSync(join(other.path, '.git/index'), seconds, seconds)
    observe(other.project)
    expect(valuesOf(other.project).get('d/a')).toMatchObject({ content: idOf('two\n') })
  })
})

test.each([2, 3, 4])('an index of version %i is read as git reads it', (version) => {
  using t = temporary()
  for (let n = 0; n < 60; n += 1) put(t.path, `dir${n % 7}/deep/file ${n}${'x'.repeat(n)}`, `${n}`)
  put(t.path, Buffer.from([0x62, 0xc3, 0xbc]).toString())
  git(t.path, 'init', '--quiet')
  git(t.path, 'add', '--all')
  if (version === 3) git(t.path, 'update-index', '--skip-worktree', 'dir0/deep/file 0')
  git(t.path, 'update-index', '--index-version', String(version))
  const bytes = readFileSync(join(t.path, '.git/index'))
  expect(bytes.readUInt32BE(4)).toBe(version)
  const index = readIndex(bytes)!
  const listed = execFileSync('git', ['ls-files', '-sz'], { cwd: t.path, env: ENV })
    .toString('latin1')
    .split('\0')
    .filter((line) => line !== '' && !(version === 3 && line.endsWith('dir0/deep/file 0')))
    .map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(7, 47)])
  const paths = [...index.directories.keys()].flatMap((directory) =>
    [...placesIn(index, directory)].map(([name, place]): [string, string] => [
      directory === '' ? name : `${directory}/${name}`,
      indexedId(index, place),
    ]),
  )
  expect(Object.fromEntries(paths)).toEqual(Object.fromEntries(listed))
  for (let at = 0; at < bytes.length; at += 97) expect(readIndex(bytes.subarray(0, at))).toBeNull()
})

/** Every file below a directory with its bytes and times. */
function fingerprint(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const { mtimeNs, ctimeNs, ino } = lstatSync(path, { bigint: true })
    const content = entry.isFile() ? idOf(readFileSync(path, 'latin1')) : ''
    return [path, mtimeNs, ctimeNs, ino, content].join(' ')
  })
}

test('[S11] nothing that a hostile repository configures is run, and its `.git` stays as it is', () => {
  using w = borrowed()
  using t = temporary()
  const marker = join(t.path, 'marker')
  const trap = join(t.path, 'trap')
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat\n`)
  chmodSync(trap, 0o755)
  put(w.path, 'a.txt', 'one\n')
  put(w.path, 'b/c.txt', 'two\n')
  commit(w.path)
  put(w.path, '.gitattributes', '*.txt filter=trap diff=trap merge=trap ident\n')
  put(w.path, '.git/included', `[core]\n\tfsmonitor = ${trap}\n`)
  put(
    w.path,
    '.git/config',
    `[core]
	repositoryformatversion = 0
	fsmonitor = ${trap}
	hooksPath = ${t.path}
	sshCommand = ${trap}
	pager = ${trap}
	editor = ${trap}
	gitProxy = ${trap}
[filter "trap"]
	clean = ${trap}
	smudge = ${trap}
	process = ${trap}
	required = true
[diff]
	external = ${trap}
[diff "trap"]
	textconv = ${trap}
[merge "trap"]
	driver = ${trap}
[credential]
	helper = ${trap}
[gpg]
	program = ${trap}
[alias]
	status = !${trap}
[include]
	path = included
`,
  )
  for (const hook of [
    'post-index-change',
    'fsmonitor-watchman',
    'pre-commit',
    'reference-transaction',
  ])
    put(w.path, `.git/hooks/${hook}`, readFileSync(trap))
  // A bare repository in the tree, which git would use when run inside it.
  for (const name of ['HEAD', 'config'])
    put(w.path, `b/${name}`, readFileSync(join(w.path, '.git', name)))
  mkdirSync(join(w.path, 'b/objects'))
  mkdirSync(join(w.path, 'b/refs'))
  const before = fingerprint(join(w.path, '.git'))
  const set = { GIT_DIR: t.path, GIT_WORK_TREE: t.path, GIT_EXTERNAL_DIFF: trap, GIT_CONFIG: trap }
  Object.assign(process.env, set)
  try {
    observe(w.project)
    put(w.path, 'a.txt', 'three\n')
    put(w.path, 'b/new.txt')
    const { changed } = observe(w.project)
    expect([...changed.keys()].sort()).toEqual(['a.txt', 'b/new.txt'])
    expect(copyBorrowed(w.project, [idOf('one\n'), idOf('two\n')])).toEqual({ missing: [] })
  } finally {
    for (const name of Object.keys(set)) delete process.env[name]
  }
  expect(existsSync(marker)).toBe(false)
  expect(fingerprint(join(w.path, '.git'))).toEqual(before)
})

test('a linked worktree borrows from its repository', () => {
  using w = borrowed()
  using t = temporary()
  put(t.path, 'a')
  commit(t.path)
  git(t.path, 'worktree', 'add', '--quiet', '--detach', join(t.path, 'side'))
  for (const name of ['a', '.git']) renameSync(join(t.path, 'side', name), join(w.path, name))
  const seen = observe(w.project)
  expect([...valuesOf(w.project).keys()]).toEqual(['a'])
  expect(seen.stored).toBe(0)
})
