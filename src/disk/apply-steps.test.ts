import { readFileSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporary } from '../../test/crash/world.ts'
import { moveAside, place, putBack } from './apply-steps.ts'
import { durableDisk, type Disk } from './durable-disk.ts'
import { pinRoot } from './pinned-root.ts'

/** A directory with these files, for running steps of an operation on them. */
function spots(files: Record<string, string>, disk: Disk = durableDisk) {
  const t = temporary()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(t.path, name), text)
  const root = pinRoot(disk, t.path)
  return {
    at: (name: string) => ({ directory: root, name }),
    files: () =>
      Object.fromEntries(
        readdirSync(t.path).map((name) => [name, readFileSync(join(t.path, name), 'utf8')]),
      ),
    [Symbol.dispose]() {
      root.close()
      t[Symbol.dispose]()
    },
  }
}

test('[I0][J3] no step of an operation overwrites a file', () => {
  using s = spots({ path: 'saved meanwhile', stage: 'new', aside: 'old' })
  const before = s.files()
  expect(place(s.at('stage'), s.at('path'))).toBe('occupied')
  expect(() => moveAside(s.at('path'), s.at('aside'))).toThrow('EEXIST')
  expect(putBack(s.at('aside'), s.at('path'))).toBe('occupied')
  expect(s.files()).toEqual(before)
})

test('[I0][FT5] restoring a file without hard links does not overwrite one either', () => {
  const link = (): never => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' })
  }
  using s = spots({ path: 'saved meanwhile', aside: 'old' }, { ...durableDisk, link })
  expect(putBack(s.at('aside'), s.at('path'))).toBe('occupied')
  expect(putBack(s.at('aside'), s.at('free'))).toBe('back')
  expect(s.files()).toEqual({ path: 'saved meanwhile', free: 'old' })
})

test('[S13] create refuses a name at which a file or link was planted', () => {
  using s = spots({ planted: 'theirs' })
  const { directory } = s.at('link')
  symlinkSync('nowhere', directory.at('link'))
  for (const name of ['planted', 'link'])
    expect(() => durableDisk.create(directory.at(name), 0o600)).toThrow('EEXIST')
  expect(readlinkSync(directory.at('link'), 'utf8')).toBe('nowhere')
})
