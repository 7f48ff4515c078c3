import { mkdirSync, writeFileSync } from 'node:fs'
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
