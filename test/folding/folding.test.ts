import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { DoctorView, LogView } from '#protocol'
import { durableDisk, exactRoot, foldingOf, pinRoot, type Space } from '#disk'
import type { ProjectPath } from '#timeline'
import { observe, openProject } from '../../src/snapshots/observe.ts'
import { watchProject } from '../../src/snapshots/watch.ts'
import { playedSession } from '../capture/played-session.ts'
import { parseView } from '../cli/schemas.ts'
import { world } from '../crash/world.ts'
import { needs } from '../needs.ts'
import { readTree } from '../house/tree.ts'
import { valuesOf } from '../snapshots/observed.ts'
import { foldingScene } from './folding-scene.ts'
import { realVolume } from './volume.ts'

const hasForms = realVolume()?.form ?? true
/** A name in both Unicode forms, if the volume disregards them. */
const [COMPOSED, DECOMPOSED] = hasForms ? ['caf\u00e9.md', 'cafe\u0301.md'] : ['cafe.md', 'CAFE.md']

needs('folding')('[FT18] Retake notices that a volume folds names', async () => {
  await using f = await foldingScene()
  await f.s.write('Readme.md', 'one\n')
  await f.s.write('\u00f6', 'two\n')
  const root = pinRoot(durableDisk, f.s.project)
  try {
    expect(foldingOf(durableDisk, root)).toEqual({ case: true, form: hasForms })
    const exact = exactRoot(root)
    expect(root.disk.stat(root.at('README.md'))).not.toBeNull()
    expect(exact.disk.stat(exact.at('README.md'))).toBeNull()
    expect(exact.disk.stat(exact.at('Readme.md'))).not.toBeNull()
  } finally {
    root.close()
  }
})

needs('folding')(
  '[FT18] [sem.M5] a file renamed by case goes back, and the receipt says so',
  async () => {
    await using f = await foldingScene()
    await f.s.write('Readme.md', 'one\n')
    await f.s.write(`docs/${COMPOSED}`, 'two\n')
    using session = await playedSession(f.s)
    await session.turn('rename', {
      // GNU's mv refuses to change only the spelling.
      bash: [`mv Readme.md t; mv t README.md; mv docs/${COMPOSED} t; mv t docs/${DECOMPOSED}`],
    })
    const after = readdirSync(f.stored)
    expect(after).toEqual(expect.arrayContaining(['README.md', 'docs']))
    const { code, stdout } = await f.s.retake('undo', '--json')
    expect({ code, stdout }).toMatchObject({ code: 0 })
    expect(JSON.parse(stdout)).toMatchObject({ filesKept: [], left: [] })
    expect(readdirSync(f.stored).sort()).toEqual(['Readme.md', 'docs'])
    expect(readdirSync(join(f.stored, 'docs'))).toEqual([COMPOSED])
    expect(await f.s.retake('redo', '--json')).toMatchObject({ code: 0 })
    expect(readdirSync(f.stored).sort()).toEqual(['README.md', 'docs'])
    expect(readdirSync(join(f.stored, 'docs'))).toEqual([DECOMPOSED])
  },
)

needs('folding')(
  '[FT18] [sem.O4] a directory renamed by case goes back with your file in it',
  async () => {
    await using f = await foldingScene()
    await f.s.write('Src/a.ts', 'a\n')
    await f.s.write('Src/deep/b.ts', 'b\n')
    using session = await playedSession(f.s)
    await session.turn('rename', { bash: ['mv Src t; mv t src'] })
    await f.s.write('src/mine.ts', 'mine\n')
    expect(readdirSync(f.stored)).toEqual(['src'])
    expect(await f.s.retake('undo', '--json')).toMatchObject({ code: 0 })
    expect(readdirSync(f.stored)).toEqual(['Src'])
    expect(readdirSync(join(f.stored, 'Src')).sort()).toEqual(['a.ts', 'deep', 'mine.ts'])
    expect(readFileSync(join(f.stored, 'Src/deep/b.ts'), 'utf8')).toBe('b\n')
    expect(await f.s.retake('redo', '--json')).toMatchObject({ code: 0 })
    expect(readdirSync(f.stored)).toEqual(['src'])
  },
)

needs('folding')(
  '[FT18] [sem.M6] revert of a directory’s first rename leaves the spelling of a later turn, and can be undone',
  async () => {
    await using f = await foldingScene()
    await f.s.write('Src/deep/b.ts', 'b\n')
    using session = await playedSession(f.s)
    await session.turn('rename', { bash: ['mv Src t; mv t src'] })
    await session.turn('again', { bash: ['mv src t; mv t SRC; mv SRC/deep t; mv t SRC/Deep'] })
    const after = await readTree(f.stored)
    for (const more of [[], ['--off']]) {
      expect(await f.s.retake('revert', '2', ...more, '--json')).toMatchObject({ code: 0 })
      expect(await readTree(f.stored)).toEqual(after)
    }
  },
)

needs('folding')(
  '[FT18] [sem.A11] an edit recorded in another spelling changes the file as you named it',
  async () => {
    await using f = await foldingScene()
    await f.s.write('Docs/Readme.md', 'one\n')
    await f.s.write(DECOMPOSED, 'two\n')
    using session = await playedSession(f.s)
    await session.turn(
      'edit',
      { edit: 'docs/README.md', old: 'one', new: 'ONE' },
      { edit: COMPOSED, old: 'two', new: 'TWO' },
    )
    const log = parseView<LogView>((await f.s.retake('log', '--json')).stdout)
    expect(log.turns[1]!.files.map(({ path }) => path).sort()).toEqual(
      ['Docs/Readme.md', DECOMPOSED].sort(),
    )
    expect(await f.s.retake('undo', '--json')).toMatchObject({ code: 0 })
    expect(readdirSync(f.stored).sort()).toEqual(['Docs', DECOMPOSED].sort())
    expect(readdirSync(join(f.stored, 'Docs'))).toEqual(['Readme.md'])
    expect(readFileSync(join(f.stored, 'Docs/Readme.md'), 'utf8')).toBe('one\n')
    expect(readFileSync(join(f.stored, DECOMPOSED), 'utf8')).toBe('two\n')
  },
)

needs('folding')(
  '[FT18] [sem.A11] an edit in another spelling is of the file as it was named then, though it was renamed or deleted since',
  async () => {
    await using f = await foldingScene()
    await f.s.write('Docs/Readme.md', 'one\n')
    await f.s.write(DECOMPOSED, 'two\n')
    await f.s.write('Old', 'three\n')
    using session = await playedSession(f.s)
    const before = await readTree(f.stored)
    await session.turn(
      'edit',
      { edit: 'docs/README.md', old: 'one', new: 'ONE' },
      { edit: COMPOSED, old: 'two', new: 'TWO' },
      { edit: 'OLD', old: 'three', new: 'THREE' },
    )
    const edited = await readTree(f.stored)
    await session.turn('respell', {
      bash: [
        `mv ${DECOMPOSED} t; mv t ${COMPOSED}; rm Old`,
        'mv Docs/Readme.md t; mv t Docs/README.md; mv Docs t; mv t docs',
      ],
    })
    const respelled = await readTree(f.stored)
    expect(Object.keys(respelled)).toEqual([COMPOSED, 'docs/README.md'])
    for (const expected of [edited, before]) {
      expect(await f.s.retake('undo', '--json')).toMatchObject({ code: 0 })
      expect(await readTree(f.stored)).toEqual(expected)
    }
    for (const expected of [edited, respelled]) {
      expect(await f.s.retake('redo', '--json')).toMatchObject({ code: 0 })
      expect(await readTree(f.stored)).toEqual(expected)
    }
  },
)

needs('folding')('[FT18] [FT20] the project in another spelling is the same project', async () => {
  await using f = await foldingScene()
  await f.s.write('a.txt', 'one\n')
  using session = await playedSession(f.s)
  await session.turn('edit', { edit: 'a.txt', old: 'one', new: 'two' })
  const other = join(f.mount, 'PROJECT')
  expect(await f.s.retake('undo', '--json', { cwd: other })).toMatchObject({ code: 0 })
  expect(readFileSync(join(f.stored, 'a.txt'), 'utf8')).toBe('one\n')
  const stores = readdirSync(join(f.s.env['XDG_DATA_HOME']!, 'retake/projects'))
  expect(stores).toHaveLength(1)
})

needs('linux', 'fuse')(
  '[FT23] doctor says that the file system does not report every change',
  async () => {
    await using f = await foldingScene()
    const { stdout } = await f.s.retake('doctor', '--json')
    const said = parseView<DoctorView>(stdout).findings.find(({ about }) => about === 'files')
    expect(said).toMatchObject({ state: 'note', says: expect.stringContaining('(fuse)') })
  },
)

needs('linux', 'fuse')(
  '[FT23] what is changed from behind a mount is seen, although no event reports it',
  async () => {
    await using f = await foldingScene()
    await f.s.write('a.txt', 'one\ntwo\nthree\n')
    await f.s.write('b.txt', 'b\n')
    using session = await playedSession(f.s)
    await session.turn('work', { bash: ['echo four >> a.txt; echo c > c.txt'] })
    using w = world()
    const root = pinRoot(durableDisk, f.s.project)
    const project = openProject({ store: w.open(), root })
    let events = 0
    using watch = watchProject(project, { onChange: () => (events += 1) })
    try {
      await watch.observe()
      events = 0
      writeFileSync(join(f.stored, 'a.txt'), 'ONE\ntwo\nthree\nfour\n')
      writeFileSync(join(f.stored, 'c.txt'), 'mine\n')
      rmSync(join(f.stored, 'b.txt'))
      const { changed } = await watch.observe()
      expect([...changed.keys()].sort()).toEqual(['a.txt', 'b.txt', 'c.txt'])
      expect(events).toBe(0)
    } finally {
      root.close()
    }
    const conflict = await f.s.retake('undo', '--json')
    expect(conflict).toMatchObject({ code: 4 })
    const only = ['--on-conflict', 'keep-mine', '--json']
    expect(await f.s.retake('undo', ...only)).toMatchObject({ code: 0 })
    expect(await readTree(f.stored)).toEqual({ 'a.txt': 'ONE\ntwo\nthree\n', 'c.txt': 'mine\n' })
  },
)

needs('folding')(
  '[FT18] after a rename by case the snapshot has no entry for the old name',
  async () => {
    await using f = await foldingScene()
    await f.s.write('Foo', 'one\n')
    await f.s.write('Src/a', 'one\n')
    using w = world()
    const space = (at: Buffer): Space => ({ ...durableDisk.space(at), type: EXT4 })
    // Taken for a local disk, because only there events are trusted. FUSE reports local changes.
    const root = pinRoot({ ...durableDisk, space }, f.s.project)
    const project = openProject({ store: w.open(), root })
    using watch = watchProject(project)
    try {
      await watch.observe()
      respell(f.s.project, 'Foo', 'fOO')
      respell(f.s.project, 'Src', 'src')
      await watch.observe()
      expect([...valuesOf(project).keys()]).toEqual(['fOO', 'src/a'])
      // Paths that once changed are looked up by name.
      const sticky = ['Foo', 'Src/a'] as ProjectPath[]
      expect(observe(project, { sticky }).changed.size).toBe(0)
      expect([...valuesOf(project).keys()]).toEqual(['fOO', 'src/a'])
    } finally {
      root.close()
    }
  },
)

const EXT4 = 0xef53

/** In two steps, because Linux does nothing if both names lead to one file. */
function respell(directory: string, from: string, to: string): void {
  renameSync(join(directory, from), join(directory, 'between'))
  renameSync(join(directory, 'between'), join(directory, to))
}
