import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decodeRow, durableDisk, nameText, pinRoot } from '#disk'
import { contentIdOf, getContent, hasContent, run } from '#store'
import type { Value } from '#timeline'
import { observe } from '../../src/snapshots/observe.ts'
import { loadTable } from '../../src/snapshots/load-table.ts'
import { gitTree, paths, readFresh, valuesOf, watched } from './observed.ts'

function put(root: string, path: string, content: string | Buffer = `${path}\n`): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

function file(text: string, mode = 0o644): Value {
  return { kind: 'file', content: contentIdOf(Buffer.from(text)), mode }
}

const absent: Value = { kind: 'absent' }

describe('[sem.A6] the first observation', () => {
  test('has no before: nothing counts as created', () => {
    using w = watched()
    put(w.path, 'src/a')
    mkdirSync(join(w.path, 'empty'))
    const seen = observe(w.project)
    expect(seen).toMatchObject({ isFirst: true, changed: new Map(), madeDirectories: new Set() })
    expect(valuesOf(w.project)).toEqual(new Map([['src/a', file('src/a\n')]]))
    expect(seen.stored).toBe(6)
  })

  test('of an empty project has the id of the empty tree', () => {
    using w = watched()
    expect(observe(w.project).tree).toBe(gitTree(w.path, valuesOf(w.project).keys()))
  })
})

describe('[sem.A1] an observation', () => {
  test('reports before, after and time, and keeps both contents', () => {
    using w = watched()
    put(w.path, 'a', 'one\n')
    observe(w.project)
    writeFileSync(join(w.path, 'a'), 'two\n')
    put(w.path, 'new/b')
    const { changed, madeDirectories } = observe(w.project)
    const at = (path: string): number => lstatSync(join(w.path, path)).ctimeMs
    expect(changed.get(paths('a')[0]!)).toMatchObject({
      before: file('one\n'),
      after: file('two\n'),
    })
    expect(changed.get(paths('a')[0]!)!.changedAt).toBeCloseTo(at('a'), 2)
    expect(changed.get(paths('new/b')[0]!)).toMatchObject({
      before: absent,
      after: file('new/b\n'),
    })
    expect(madeDirectories).toEqual(new Set(['new']))
    for (const text of ['one\n', 'two\n', 'new/b\n']) {
      const id = contentIdOf(Buffer.from(text))
      expect(getContent(w.project.store, id).toString()).toBe(text)
    }
  })

  test('[R12] of an unchanged tree writes nothing', () => {
    using w = watched({ now: () => Date.now() + 60_000 })
    put(w.path, 'a/b')
    observe(w.project)
    const wal = `${w.project.store.directory}/store.db-wal`
    const before = statSync(wal)
    for (const project of [w.project, w.reopen()]) {
      expect(observe(project)).toMatchObject({ changed: new Map(), stored: 0 })
      expect(statSync(wal)).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs })
    }
  })

  test('[FT22] sees an edit that leaves size and modification time unchanged', () => {
    // Long after the first edit, so that only the stat leads to another read.
    using w = watched({ now: () => Date.now() + 10_000 })
    put(w.path, 'a', 'one\n')
    utimesSync(join(w.path, 'a'), 1_000_000_000, 1_000_000_000)
    observe(w.project)
    const stat = () => lstatSync(join(w.path, 'a'), { bigint: true })
    const { size, mtimeNs, ctimeNs } = stat()
    do {
      writeFileSync(join(w.path, 'a'), 'two\n')
      utimesSync(join(w.path, 'a'), 1_000_000_000, 1_000_000_000)
    } while (stat().ctimeNs === ctimeNs)
    expect(stat()).toMatchObject({ size, mtimeNs })
    expect(observe(w.project).changed.get(paths('a')[0]!)).toMatchObject({ after: file('two\n') })
  })

  test('[FT22] sees edits faster than the clock of the file system', () => {
    using w = watched()
    put(w.path, 'a', '000\n')
    observe(w.project)
    for (let n = 1; n < 150; n += 1) {
      const text = `${String(n).padStart(3, '0')}\n`
      writeFileSync(join(w.path, 'a'), text)
      expect(observe(w.project).changed.get(paths('a')[0]!)).toMatchObject({ after: file(text) })
    }
  })

  test('[FT22] reads a file that just changed again next time, even with the same times', () => {
    for (const later of [0, 10_000]) {
      using w = watched({ now: () => Math.floor(statSync(w.path).ctimeMs) + later })
      put(w.path, 'a', 'one\n')
      observe(w.project)
      const { self, entries } = decodeRow(w.project.table!.rows.get('')!)
      expect([self.isDoubtful, entries.get('a')!.isDoubtful]).toEqual([later === 0, later === 0])
    }
  })

  test('does not repeat another process’s observation', () => {
    using w = watched()
    put(w.path, 'a', 'one\n')
    const other = w.reopen()
    observe(w.project)
    observe(other)
    writeFileSync(join(w.path, 'a'), 'two\n')
    expect(observe(other).changed.size).toBe(1)
    expect(observe(w.project).changed.size).toBe(0)
    expect(valuesOf(w.project)).toEqual(valuesOf(other))
  })

  test('[FT17] keeps bytes, modes, links and names as they are', () => {
    using w = watched()
    const odd = Buffer.concat([Buffer.from(`${w.path}/`), Buffer.from([0x61, 0xff, 0x0a, 0x62])])
    writeFileSync(odd, Buffer.from([0xff, 0xfe, 0x00, 0x0d, 0x0a]))
    put(w.path, '-dash\ttab')
    put(w.path, 'x'.repeat(255))
    put(w.path, 'tool')
    chmodSync(join(w.path, 'tool'), 0o4711)
    symlinkSync(Buffer.from([0x2e, 0x2f, 0xfe]), join(w.path, 'link'))
    symlinkSync('loop', join(w.path, 'loop'))
    const { tree } = observe(w.project)
    const values = valuesOf(w.project)
    expect(values.get(nameText(Buffer.from([0x61, 0xff, 0x0a, 0x62])))?.kind).toBe('file')
    expect(values.get('tool')).toEqual(file('tool\n', 0o4711))
    expect(values.get('link')).toEqual({
      kind: 'symlink',
      target: nameText(Buffer.from([0x2e, 0x2f, 0xfe])),
    })
    expect(tree).toBe(gitTree(w.path, valuesOf(w.project).keys()))
    expect(observe(w.reopen()).changed.size).toBe(0)
  })

  test('treats nested repositories as plain files, without their `.git`', () => {
    using w = watched()
    execFileSync('git', ['init', '--quiet', join(w.path, 'lib')])
    put(w.path, 'lib/a')
    put(w.path, 'sub/.git', 'gitdir: ../elsewhere\n')
    put(w.path, 'sub/b')
    observe(w.project)
    expect([...valuesOf(w.project).keys()]).toEqual(['lib/a', 'sub/b'])
  })

  test('reports a directory that came or went, also an empty one', () => {
    using w = watched()
    mkdirSync(join(w.path, 'old/deep'), { recursive: true })
    observe(w.project)
    renameSync(join(w.path, 'old'), join(w.path, 'new'))
    expect(observe(w.project)).toMatchObject({
      changed: new Map(),
      madeDirectories: new Set(['new', 'new/deep']),
      goneDirectories: new Map([
        ['old', 0o755],
        ['old/deep', 0o755],
      ]),
    })
  })

  test('[R10] reports a removed directory with its last mode', () => {
    using w = watched()
    mkdirSync(join(w.path, 'd'), 0o700)
    observe(w.project)
    chmodSync(join(w.path, 'd'), 0o750)
    const why = 'it is a directory with the mode 750'
    expect(observe(w.project).changed.get(paths('d')[0]!)).toMatchObject({ after: { why } })
    rmSync(join(w.path, 'd'), { recursive: true })
    expect(observe(w.project).goneDirectories).toEqual(new Map([['d', 0o750]]))
  })
})

describe('[I7] files that are not captured are listed', () => {
  test('special files, hard links and large files, none of them opened', () => {
    using w = watched()
    // Opening a pipe without a writer would block forever.
    execFileSync('mkfifo', [join(w.path, 'pipe')])
    put(w.path, 'twin')
    linkSync(join(w.path, 'twin'), join(w.path, 'other'))
    put(w.path, 'sparse')
    truncateSync(join(w.path, 'sparse'), 2 ** 40)
    put(w.path, 'plain')
    const seen = observe(w.project)
    expect(new Map(seen.notCaptured.map(({ path, why }) => [path, why]))).toEqual(
      new Map([
        ['pipe', 'special'],
        ['twin', 'hard-linked'],
        ['other', 'hard-linked'],
        ['sparse', 'too-big'],
      ]),
    )
    expect(seen.stored).toBe(6)
    rmSync(join(w.path, 'other'))
    truncateSync(join(w.path, 'sparse'), 3)
    const next = observe(w.project)
    expect(next.notCaptured).toEqual([{ path: 'pipe', why: 'special' }])
    expect(next.changed.get(paths('sparse')[0]!)).toMatchObject({ before: { kind: 'unknown' } })
    expect(next.changed.get(paths('other')[0]!)).toMatchObject({ before: { kind: 'unknown' } })
  })

  test('[R12] files over the limit of one observation follow with the next', () => {
    using w = watched()
    for (const name of ['a', 'b', 'c']) put(w.path, name, `${name.repeat(999)}\n`)
    const limits = { file: 5000, observation: 2000 }
    const first = observe(w.project, { limits })
    expect(first.stored).toBe(2000)
    expect(first.notCaptured).toHaveLength(1)
    expect(observe(w.project, { limits })).toMatchObject({ stored: 1000, notCaptured: [] })
    writeFileSync(join(w.path, 'a'), 'x'.repeat(5001))
    expect(observe(w.project, { limits })).toMatchObject({
      stored: 0,
      notCaptured: [{ path: 'a', why: 'too-big' }],
    })
  })

  test('unreadable files are unknown, not deleted', () => {
    using w = watched()
    put(w.path, 'a/b', 'one\n')
    observe(w.project)
    writeFileSync(join(w.path, 'a/b'), 'two\n')
    const root = pinRoot({ ...durableDisk, openFile: () => deny() }, w.path)
    const seen = observe({ ...w.project, root })
    root.close()
    expect([...seen.changed.values()]).toMatchObject([
      { before: file('one\n'), after: { kind: 'unknown' } },
    ])
    expect(seen.notCaptured).toEqual([{ path: 'a/b', why: 'unreadable' }])
    expect([...observe(w.project).changed.values()]).toMatchObject([{ after: file('two\n') }])
  })

  test('[sem.A6] files hidden by another file system are unknown, not deleted', () => {
    using w = watched({ now: () => Date.now() + 60_000 })
    put(w.path, 'm/a', 'one\n')
    put(w.path, 'b')
    observe(w.project)
    put(w.path, 'm/of-the-other')
    // Mounting needs more rights than a test has; a different root device has the same effect.
    const root = { ...w.project.root, stat: { ...w.project.root.stat, device: -1n } }
    const seen = observe({ ...w.project, root })
    expect([...seen.changed]).toMatchObject([
      ['m/a', { before: file('one\n'), after: { kind: 'unknown' } }],
    ])
    expect(seen.notCaptured).toEqual([{ path: 'm', why: 'other-file-system' }])
    const back = observe(w.project)
    expect([...back.entered.keys()].sort()).toEqual(['m/a', 'm/of-the-other'])
    expect(back).toMatchObject({ changed: new Map(), notCaptured: [] })
  })

  test('a directory too deep for the system’s path limit is listed', () => {
    using w = watched()
    const name = 'd'.repeat(250)
    // From the inside out, so that no path given to the system is too long.
    put(w.path, 'inner/f')
    for (let depth = 0; depth < 17; depth += 1) {
      mkdirSync(join(w.path, 'outer'))
      renameSync(join(w.path, 'inner'), join(w.path, 'outer', name))
      renameSync(join(w.path, 'outer'), join(w.path, 'inner'))
    }
    const { notCaptured } = observe(w.project)
    expect(notCaptured.every(({ why }) => why === 'unreadable')).toBe(true)
    expect(notCaptured.length).toBeGreaterThan(0)
    expect(observe(w.reopen())).toMatchObject({ changed: new Map(), notCaptured })
  })
})

function deny(): never {
  throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
}

describe('[sem.A7] scope is sticky', () => {
  test('ignoring a directory deletes nothing in it, and including it again creates nothing', () => {
    using w = watched()
    put(w.path, 'a')
    put(w.path, '.gitignore', 'dist/\n')
    put(w.path, 'dist/o', 'made\n')
    observe(w.project)
    rmSync(join(w.path, '.gitignore'))
    const entered = observe(w.project)
    expect([...entered.changed.keys()]).toEqual(['.gitignore'])
    expect(entered.entered).toEqual(new Map([['dist/o', file('made\n')]]))
    put(w.path, '.gitignore', 'dist/\n')
    expect([...observe(w.project).changed.keys()]).toEqual(['.gitignore'])
  })

  test('a directory created at the moment its ignore rule is removed is new', () => {
    using w = watched()
    put(w.path, '.gitignore', 'dist/\n')
    put(w.path, 'src/.gitignore', 'out/\n')
    observe(w.project)
    for (const path of ['.gitignore', 'src/.gitignore']) rmSync(join(w.path, path))
    for (const path of ['dist/o', 'dist/deep/p', 'src/out/q']) put(w.path, path)
    const seen = observe(w.reopen())
    expect(seen.entered.size).toBe(0)
    expect([...seen.madeDirectories]).toEqual(['dist', 'dist/deep', 'src/out'])
    for (const path of paths('dist/o', 'dist/deep/p', 'src/out/q'))
      expect(seen.changed.get(path)).toMatchObject({ before: absent })
  })

  test('a directory in place of a pipe or a too large file is new', () => {
    using w = watched()
    execFileSync('mkfifo', [join(w.path, 'pipe')])
    put(w.path, 'large', 'x'.repeat(100))
    const limits = { limits: { file: 50, observation: 1000 } }
    observe(w.project, limits)
    for (const path of ['pipe', 'large']) {
      rmSync(join(w.path, path))
      put(w.path, `${path}/a`)
    }
    const { changed, entered } = observe(w.reopen(), limits)
    expect(entered.size).toBe(0)
    expect(
      [...changed].map(([path, { before, after }]) => `${path} ${before.kind} ${after.kind}`),
    ).toEqual([
      'large unknown absent',
      'large/a absent file',
      'pipe unknown absent',
      'pipe/a absent file',
    ])
  })

  test('a file in scope stays in scope when it is ignored, and its changes are seen', () => {
    using w = watched()
    put(w.path, 'dist/o', 'one\n')
    put(w.path, 'dist/other')
    observe(w.project)
    put(w.path, '.gitignore', 'dist/\n')
    expect([...observe(w.project).changed.keys()]).toEqual(['.gitignore'])
    put(w.path, 'dist/o', 'two\n')
    put(w.path, 'dist/new')
    const path = paths('dist/o')[0]!
    const change = (): unknown => observe(w.reopen()).changed.get(path)
    expect(change()).toMatchObject({ before: file('one\n'), after: file('two\n') })
    rmSync(join(w.path, 'dist/o'))
    expect(change()).toMatchObject({ before: file('two\n'), after: absent })
    put(w.path, 'dist/o', 'three\n')
    expect(change()).toMatchObject({ before: absent, after: file('three\n') })
    const all = w.reopen()
    observe(all)
    expect([...valuesOf(all).keys()]).toEqual(['.gitignore', 'dist/o', 'dist/other'])
  })

  test('an ignored directory that appears, changes or disappears is reported, its content is not', () => {
    using w = watched()
    put(w.path, '.gitignore', 'node_modules/\n')
    observe(w.project)
    const said = (): string[] =>
      [...observe(w.reopen()).changed].map(
        ([path, { before, after }]) => `${path} ${before.kind} ${after.kind}`,
      )
    put(w.path, 'node_modules/one/index.js')
    expect(said()).toEqual(['node_modules absent unknown'])
    expect(said()).toEqual([])
    put(w.path, 'node_modules/two/index.js')
    expect(said()).toEqual(['node_modules unknown unknown'])
    put(w.path, 'node_modules/two/index.js', 'changed in place\n')
    expect(said()).toEqual([])
    rmSync(join(w.path, 'node_modules'), { recursive: true })
    expect(said()).toEqual(['node_modules unknown absent'])
    expect(said()).toEqual([])
  })

  test('a repository created inside or removed is reported', () => {
    using w = watched()
    observe(w.project)
    const said = (): string[] => [...observe(w.reopen()).changed.keys()]
    put(w.path, 'app/.git/HEAD')
    put(w.path, 'app/a')
    expect(said()).toEqual(['app/.git', 'app/a'])
    put(w.path, 'app/.git/index')
    expect(said()).toEqual([])
    rmSync(join(w.path, 'app/.git'), { recursive: true })
    expect(said()).toEqual(['app/.git'])
  })

  test('ignored files that an old version’s scan left out enter now, and are not new', () => {
    using w = watched()
    put(w.path, '.gitignore', '.env\nout/\n')
    observe(w.project)
    run(w.project.store.database, 'update observation set rules = ?', '[]')
    put(w.path, '.env', 'KEY=1\n')
    put(w.path, 'out/a')
    const seen = observe(w.reopen())
    expect(seen.changed.size).toBe(0)
    expect([...seen.entered.keys()]).toEqual(['.env'])
  })

  test('an ignored path enters scope when it has to stay', () => {
    using w = watched()
    put(w.path, '.gitignore', '.env\nout/\n')
    put(w.path, '.env', 'KEY=1\n')
    put(w.path, 'out/deep/a')
    observe(w.project)
    expect([...valuesOf(w.project).keys()]).toEqual(['.env', '.gitignore'])
    const seen = observe(w.project, { sticky: paths('out/deep/a', 'out/nothing') })
    expect([...seen.entered.keys()]).toEqual(['out/deep/a'])
    expect(seen.changed.size).toBe(0)
  })

  test('an ignore file that ignores itself is still obeyed when it changes', () => {
    using w = watched()
    put(w.path, 'cache/.gitignore', '*\n')
    put(w.path, 'cache/in/a')
    observe(w.project)
    expect([...valuesOf(w.project).keys()]).toEqual(['cache/.gitignore'])
    put(w.path, 'cache/.gitignore', '.gitignore\n')
    const seen = observe(w.project)
    expect([...seen.changed.keys()]).toEqual(['cache/.gitignore'])
    expect(seen.entered).toEqual(new Map([['cache/in/a', file('cache/in/a\n')]]))
  })

  test.each(['a link', 'a file with two names', 'a directory'])(
    'an ignore file that is %s leaves new files new',
    (kind) => {
      using w = watched({ now: () => Date.now() + 60_000 })
      put(w.path, 'rules', 'log/\n')
      if (kind === 'a link') symlinkSync('rules', join(w.path, '.gitignore'))
      else if (kind === 'a directory') mkdirSync(join(w.path, '.gitignore'))
      else linkSync(join(w.path, 'rules'), join(w.path, '.gitignore'))
      observe(w.project)
      put(w.path, 'a')
      put(w.path, 'log/b')
      const seen = observe(w.project)
      const isObeyed = kind === 'a file with two names'
      expect([...seen.changed.keys()]).toEqual(['a', isObeyed ? 'log' : 'log/b'])
      expect(seen.entered.size).toBe(0)
    },
  )

  test('the user’s own excludes are obeyed, also when they change', () => {
    using w = watched({ globalExcludes: '' })
    const excludes = join(dirname(w.path), 'excludes')
    const project = { ...w.project, globalExcludes: excludes }
    writeFileSync(excludes, 'swp/\n')
    put(w.path, 'swp/a')
    put(w.path, 'bak/a')
    observe(project)
    expect([...valuesOf(project).keys()]).toEqual(['bak/a'])
    appendFileSync(excludes, 'bak/\n')
    expect(observe(project).changed.size).toBe(0)
    put(w.path, 'bak/b')
    observe(project)
    expect([...valuesOf(project).keys()]).toEqual(['bak/a'])
    expect(readFresh(w.path, { globalExcludes: excludes }).size).toBe(0)
  })
})

test('contents without an observation are not kept', () => {
  using w = watched()
  put(w.path, '.gitignore', 'secret/\n')
  put(w.path, 'secret/key', 'key\n')
  observe(w.project)
  expect(hasContent(w.project.store, contentIdOf(Buffer.from('key\n')))).toBe(false)
})

test('another process’s observation while the table is read is not part of it', () => {
  using w = watched()
  for (let n = 0; n < 600; n += 1) put(w.path, `d${n}/f`, 'x')
  observe(w.project)
  const { store } = w.reopen()
  let calls = 0
  const table = loadTable(store, () => () => {
    calls += 1
    if (calls > 1) return
    for (let n = 0; n < 600; n += 1) rmSync(join(w.path, `d${n}`), { recursive: true })
    expect(observe(w.project).changed.size).toBe(600)
  })
  expect(table?.rows.size).toBe(601)
  expect(loadTable(store)?.rows.size).toBe(1)
})

test('a tree large enough for several threads is read completely', () => {
  using w = watched()
  for (let n = 0; n < 2100; n += 1) put(w.path, `d${n}/f`, 'x')
  observe(w.project)
  for (let n = 0; n < 2100; n += 150) writeFileSync(join(w.path, `d${n}/f`), 'changed')
  rmSync(join(w.path, 'd2099'), { recursive: true })
  put(w.path, 'd77/new/g')
  const { changed, goneDirectories } = observe(w.reopen())
  expect(changed.size).toBe(14 + 2)
  expect([...goneDirectories.keys()]).toEqual(['d2099'])
  expect(observe(w.project).changed.size).toBe(0)
})
