import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { foldingDisk } from '../../test/crash/folding-disk.ts'
import { temporary } from '../../test/crash/world.ts'
import { needs } from '../../test/needs.ts'
import { durableDisk, type Disk } from './durable-disk.ts'
import { exactRoot } from './exact-root.ts'
import { foldingOf } from './folding.ts'
import { nameBytes } from './names.ts'
import { pinRoot } from './pinned-root.ts'

function counting(disk: Disk): { disk: Disk; listed: () => number } {
  let count = 0
  const list = (path: Buffer): Buffer[] => {
    count += 1
    return disk.list(path)
  }
  return { disk: { ...disk, list }, listed: () => count }
}

function probe(disk: Disk, path: string): ReturnType<typeof foldingOf> {
  return foldingOf(disk, { path, stat: disk.stat(nameBytes(path))! })
}

test('[FT18] whether a volume folds names is found out with the names that exist', () => {
  using t = temporary()
  const fold = (of: (name: string) => string): Disk =>
    foldingDisk(durableDisk, { isEqual: (a, b) => of(a) === of(b) })
  writeFileSync(join(t.path, 'Readme'), '')
  writeFileSync(join(t.path, 'caf\u00e9'), '')
  expect(probe({ ...durableDisk }, t.path)).toEqual({ case: false, form: false })
  expect(
    probe(
      fold((name) => name.toLowerCase()),
      t.path,
    ),
  ).toEqual({ case: true, form: false })
  expect(
    probe(
      fold((name) => name.normalize('NFD')),
      t.path,
    ),
  ).toEqual({ case: false, form: true })
})

test('[FT18] a volume that folds only ASCII letters, as XFS does, is noticed beside any name', () => {
  const lower = (name: string): string => name.replaceAll(/[A-Z]/gu, (each) => each.toLowerCase())
  const xfs = (): Disk => foldingDisk(durableDisk, { isEqual: (a, b) => lower(a) === lower(b) })
  for (const name of ['\u00c9t\u00e9', '\u00e9', 'stra\u00dfe', '\u0130', '\u65e5\u672c']) {
    using t = temporary()
    writeFileSync(join(t.path, name), '')
    expect([name, probe(xfs(), t.path).case]).toEqual([name, true])
    expect([name, probe({ ...durableDisk }, t.path).case]).toEqual([name, false])
  }
})

test('[FT18] a name that is removed while it is tried proves nothing', () => {
  using t = temporary()
  for (const name of ['a', 'b']) writeFileSync(join(t.path, name), '')
  const folding = foldingDisk(durableDisk)
  const tried = new Set<string>()
  const disk: Disk = {
    ...folding,
    stat(path) {
      const found = folding.stat(path)
      const name = path.toString().slice(t.path.length + 1)
      if ((name === 'a' || name === 'b') && tried.size === 0) {
        tried.add(name)
        rmSync(join(t.path, name))
      }
      return found
    },
  }
  expect(probe(disk, t.path).case).toBe(true)
  expect(tried.size).toBe(1)
})

test('[FT18] what was found out in a directory is forgotten when a file takes its place', () => {
  using t = temporary()
  const disk = { ...durableDisk }
  mkdirSync(join(t.path, 'a/b'), { recursive: true })
  writeFileSync(join(t.path, 'a/b/c'), '')
  expect(probe(disk, join(t.path, 'a/b')).case).toBe(false)
  rmSync(join(t.path, 'a'), { recursive: true })
  writeFileSync(join(t.path, 'a'), '')
  expect(probe(disk, t.path).case).toBe(false)
})

test('[FT18] without a name to try in it, the name of the directory tells whether the volume folds', () => {
  using t = temporary()
  const [empty, numbers] = [join(t.path, 'Empty'), join(t.path, 'Numbers')]
  for (const path of [empty, numbers]) mkdirSync(path)
  writeFileSync(join(numbers, '12'), '')
  for (const path of [empty, numbers]) {
    expect(probe({ ...durableDisk }, path).case).toBe(false)
    expect(probe(foldingDisk(durableDisk), path).case).toBe(true)
  }
})

needs('linux')(
  '[FT18] where names are not folded, one directory is listed once, and nothing else changes',
  () => {
    using t = temporary()
    mkdirSync(join(t.path, 'src'))
    const { disk, listed } = counting(durableDisk)
    for (let time = 0; time < 3; time += 1) {
      const root = pinRoot(disk, t.path)
      expect(exactRoot(root)).toBe(root)
      root.close()
    }
    expect(listed()).toBe(1)
  },
)

test('[FT18] where names are folded, a name exists only as it is listed', () => {
  using t = temporary()
  mkdirSync(join(t.path, 'Src'))
  writeFileSync(join(t.path, 'Src/a'), '')
  const root = pinRoot(foldingDisk(durableDisk), t.path)
  const exact = exactRoot(root)
  try {
    expect(root.disk.stat(root.at('src'))?.kind).toBe('directory')
    expect(exact.disk.stat(exact.at('src'))).toBeNull()
    expect(exact.disk.stat(exact.at('Src'))?.kind).toBe('directory')
    expect(() => exact.disk.rename(exact.at('src'), exact.at('b'))).toThrow('ENOENT')
    expect(() => exact.disk.openDirectory(exact.at('src'))).toThrow('ENOENT')
  } finally {
    root.close()
  }
})

test('[FT18] another volume with the number of an unmounted one is tried again', () => {
  const volumes = ['one', 'two'].map((name) => ({ name, isMounted: name === 'one' }))
  using t = temporary()
  for (const { name } of volumes) {
    mkdirSync(join(t.path, name))
    writeFileSync(join(t.path, name, 'Readme'), '')
  }
  const folded = foldingDisk(durableDisk, {
    isEqual: (a, b) => a.toLowerCase() === b.toLowerCase(),
  })
  // The first does not fold names, the second does. Both have the directory's own device.
  const disk: Disk = {
    ...durableDisk,
    stat(path) {
      const at = volumes.find(({ name }) => path.toString().startsWith(join(t.path, name)))
      if (at?.isMounted === false) return null
      return (at?.name === 'two' ? folded : durableDisk).stat(path)
    },
  }
  expect(probe(disk, join(t.path, 'one')).case).toBe(false)
  for (const volume of volumes) volume.isMounted = !volume.isMounted
  expect(probe(disk, join(t.path, 'two')).case).toBe(true)
})
