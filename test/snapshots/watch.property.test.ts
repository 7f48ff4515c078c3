import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { durableDisk, type Space } from '#disk'
import type { ProjectPath } from '#timeline'
import { temporary } from '../crash/world.ts'
import { observe } from '../../src/snapshots/observe.ts'
import { watchProject } from '../../src/snapshots/watch.ts'
import { follow, readFresh, sorted, valuesOf, watched } from './observed.ts'
import { asPlatform } from '../house/as-platform.ts'
import { needs } from '../needs.ts'
import { act, perform } from './random-acts.ts'
import { numRuns } from '../../src/timeline/data/runs.testing.ts'

const rounds = fc.array(fc.array(act, { minLength: 1, maxLength: 10 }), {
  minLength: 2,
  maxLength: 8,
})

test('[FT23] the changes that the watch reports are those that a full read finds', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async ([first, ...rest]) => {
      using w = watched()
      for (const step of first!) perform(w.path, step)
      using watch = watchProject(w.project)
      await watch.observe()
      const model = valuesOf(w.project)
      const ever = new Set(model.keys()) as Set<ProjectPath>
      for (const round of rest) {
        for (const step of round) perform(w.path, step)
        const seen = await watch.observe({ sticky: ever })
        expect(follow(model, seen)).toEqual([])
        expect(sorted(model)).toEqual(sorted(readFresh(w.path, { sticky: ever })))
        for (const path of model.keys()) ever.add(path as ProjectPath)
        expect(sorted(valuesOf(w.project))).toEqual(sorted(model))
      }
      // A process without a watch finds nothing that this one missed.
      const after = observe(w.reopen(), { sticky: ever })
      expect([...after.changed.keys(), ...after.entered.keys()]).toEqual([])
    }),
    { numRuns: numRuns(80) },
  )
})

test('[FT23] after an overflow of the kernel’s event queue everything is scanned', async () => {
  using w = watched()
  using watch = watchProject(w.project)
  await watch.observe()
  // No event is read while this runs; half of them do not fit into the queue.
  for (let n = 0; n < 40_000; n += 1) {
    const path = join(w.path, `f${n % 300}`)
    if (n % 3 === 2) rmSync(path, { force: true })
    else writeFileSync(path, String(n))
  }
  const last = join(w.path, 'last')
  writeFileSync(last, 'of all')
  // Read the events that did fit, so that the observation's barrier finds an empty queue.
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
  await watch.observe()
  expect(sorted(valuesOf(w.project))).toEqual(sorted(readFresh(w.path)))
}, 120_000)

needs('linux')(
  '[FT23] where a file system does not report every change, the watch scans',
  async () => {
    using w = watched()
    using outside = temporary()
    const [path, other] = [join(w.path, 'a'), join(outside.path, 'a')]
    writeFileSync(path, 'one')
    linkSync(path, other)
    const FUSE = 0x6573_5546
    for (const type of [null, FUSE]) {
      const space = (at: Buffer): Space => ({
        ...durableDisk.space(at),
        ...(type === null ? {} : { type }),
      })
      const root = { ...w.project.root, disk: { ...durableDisk, space } }
      using watch = watchProject({ ...w.project, root })
      await watch.observe()
      // A write through a name outside of the project raises no event, like one behind a mount.
      appendFileSync(other, 'two')
      const { changed } = await watch.observe()
      expect([...changed.keys()], String(type)).toEqual(type === null ? [] : ['a'])
    }
  },
)

test('[FT23] on macOS one watch of the tree says when to scan, and every scan is a full one', () =>
  asPlatform('darwin', async () => {
    using w = watched()
    mkdirSync(join(w.path, 'src/deep'), { recursive: true })
    mkdirSync(join(w.path, '.git/objects'), { recursive: true })
    let hints = 0
    using watch = watchProject(w.project, { onChange: () => (hints += 1) })
    await watch.observe()
    const settled = async (): Promise<number> => {
      await setTimeout(100)
      return hints
    }
    const before = await settled()
    writeFileSync(join(w.path, '.git/objects/x'), '')
    expect(await settled(), 'git is not watched').toBe(before)
    writeFileSync(join(w.path, 'src/deep/a'), 'one')
    await expect.poll(() => hints).toBeGreaterThan(before)
    expect([...(await watch.observe()).changed.keys()]).toEqual(['src/deep/a'])
  }))

test('after a first snapshot a watch keeps neither the paths in git’s index nor git’s objects', async () => {
  using w = watched()
  writeFileSync(join(w.path, '.gitignore'), 'built/\n')
  writeFileSync(join(w.path, 'a'), 'one')
  mkdirSync(join(w.path, 'built'))
  for (const words of [
    ['init', '-q'],
    ['add', '.'],
  ])
    execFileSync('git', words, { cwd: w.path, stdio: 'ignore' })
  using watch = watchProject(w.project)
  await watch.observe()
  expect(w.project).toMatchObject({ tracked: null, objects: null })
  writeFileSync(join(w.path, 'a'), 'two')
  expect([...(await watch.observe()).changed.keys()]).toEqual(['a'])
})

test('directories that swap places are told apart, even with equal ages', async () => {
  using w = watched()
  const at = (path: string): string => join(w.path, path)
  const age = (path: string): string => {
    const { ctimeNs, mtimeNs } = lstatSync(at(path), { bigint: true })
    return `${ctimeNs} ${mtimeNs}`
  }
  // The file system's clock must give both the same times.
  do {
    for (const name of ['a', 'b']) rmSync(at(name), { recursive: true, force: true })
    for (const name of ['a', 'b']) {
      mkdirSync(at(`${name}/x`), { recursive: true })
      writeFileSync(at(`${name}/x/of-${name}`), '')
    }
  } while (age('a/x') !== age('b/x'))
  using watch = watchProject(w.project)
  await watch.observe()
  renameSync(at('a'), at('c'))
  renameSync(at('b'), at('a'))
  renameSync(at('c'), at('b'))
  await watch.observe()
  expect([...valuesOf(w.project).keys()]).toEqual(['a/x/of-b', 'b/x/of-a'])
  writeFileSync(at('a/x/of-b'), 'changed')
  expect([...(await watch.observe()).changed.keys()]).toEqual(['a/x/of-b'])
})

test('[FT23][sem.A1] a hard link that is added or removed is seen at the file’s other names, which get no event', async () => {
  using w = watched()
  const at = (path: string): string => join(w.path, path)
  mkdirSync(at('d'))
  for (const path of ['a', 'b', 'd/c']) writeFileSync(at(path), `${path}\n`)
  using watch = watchProject(w.project)
  await watch.observe()
  const model = valuesOf(w.project)
  for (const change of [
    () => linkSync(at('a'), at('d/a')),
    () => {
      mkdirSync(at('copy'))
      linkSync(at('d/c'), at('copy/c'))
    },
    () => rmSync(at('a')),
    () => renameSync(at('b'), at('copy/c')),
  ]) {
    change()
    expect(follow(model, await watch.observe())).toEqual([])
    expect(sorted(model)).toEqual(sorted(readFresh(w.path)))
    expect(sorted(valuesOf(w.project))).toEqual(sorted(model))
  }
})

test('another process’s observation is adopted, with the directories it found', async () => {
  using w = watched()
  using watch = watchProject(w.project)
  await watch.observe()
  perform(w.path, { kind: 'write', path: 'a/b/c.txt', other: '', content: 'one\n', rules: '' })
  observe(w.reopen())
  expect((await watch.observe()).changed.size).toBe(0)
  writeFileSync(join(w.path, 'a/b/c.txt'), 'two\n')
  expect([...(await watch.observe()).changed.keys()]).toEqual(['a/b/c.txt'])
})

test('concurrent observations run one after the other', async () => {
  using w = watched()
  let heard = 0
  using watch = watchProject(w.project, { onChange: () => (heard += 1) })
  await watch.observe()
  writeFileSync(join(w.path, 'a'), 'one\n')
  const all = await Promise.all([watch.observe(), watch.observe(), watch.observe()])
  expect(all.map(({ changed }) => changed.size)).toEqual([1, 0, 0])
  // Hints may come later than a scan that needs none.
  await expect.poll(() => heard).toBeGreaterThan(0)
})

test('[FT23] a failed scan forgets no received event', async () => {
  using w = watched()
  using watch = watchProject(w.project)
  await watch.observe()
  writeFileSync(join(w.path, 'a'), 'one\n')
  const note = (): never => {
    throw new Error('a full disk')
  }
  await expect(watch.observe({ note })).rejects.toThrow('a full disk')
  expect([...(await watch.observe()).changed.keys()]).toEqual(['a'])
})

test('[FT23] a change between the first scan and the start of the watch is reported', async () => {
  using w = watched()
  const at = (path: string): string => join(w.path, path)
  mkdirSync(at('d'))
  writeFileSync(at('d/a'), 'one\n')
  using watch = watchProject(w.project)
  const seen: string[][] = []
  const note = ({
    isFirst,
    changed,
  }: {
    isFirst: boolean
    changed: ReadonlyMap<string, unknown>
  }) => {
    seen.push([...changed.keys()].toSorted())
    if (!isFirst) return
    writeFileSync(at('d/a'), 'two\n')
    mkdirSync(at('e'))
    writeFileSync(at('e/b'), 'one\n')
  }
  expect((await watch.observe({ note })).isFirst).toBe(true)
  expect(seen).toEqual([[], ['d/a', 'e/b']])
  writeFileSync(at('e/b'), 'two\n')
  expect([...(await watch.observe()).changed.keys()]).toEqual(['e/b'])
})
