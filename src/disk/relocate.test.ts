import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporary } from '../../test/crash/world.ts'
import { durableDisk, type Disk } from './durable-disk.ts'
import { nameBytes } from './names.ts'
import { canRelocate, dropRemoved, performRelocation, type Relocation } from './relocate.ts'

const changed = expect.objectContaining({ code: 'conversation-changed' })

/** A transcript, and the relocation that would remove it. */
function removal(path: string): { transcript: string; going: Relocation } {
  const [from, to] = [join(path, 'session.jsonl'), join(path, '.gone')]
  writeFileSync(from, 'said\n')
  const { inode, size } = durableDisk.stat(nameBytes(from))!
  return {
    transcript: from,
    going: { kind: 'remove', moves: [{ from, to }], expected: { inode, size } },
  }
}

test('[FT13][I5] a session is not removed if it was written to since', () => {
  using t = temporary()
  const { transcript, going } = removal(t.path)
  expect(canRelocate(durableDisk, going)).toBe(true)
  appendFileSync(transcript, 'and more\n')
  expect(canRelocate(durableDisk, going)).toBe(false)
  expect(() => performRelocation(durableDisk, going)).toThrow(changed)
  expect(readFileSync(transcript, 'utf8')).toBe('said\nand more\n')
})

test('[FT13][I5] a removed session is not deleted if it was written to at the last moment', () => {
  using t = temporary()
  const { going } = removal(t.path)
  performRelocation(durableDisk, going)
  appendFileSync(join(t.path, '.gone'), 'and more\n')
  dropRemoved(durableDisk, going)
  expect(readdirSync(t.path)).toEqual(['.gone'])
})

test('[I0] a new session never overwrites a file', () => {
  using t = temporary()
  const [from, to] = [join(t.path, '.new'), join(t.path, 'session.jsonl')]
  const coming: Relocation = { kind: 'make', moves: [{ from, to }], expected: null }
  expect(canRelocate(durableDisk, coming)).toBe(true)
  writeFileSync(to, 'another’s\n')
  expect(canRelocate(durableDisk, coming)).toBe(false)
  writeFileSync(from, 'ours\n')
  expect(() => performRelocation(durableDisk, coming)).toThrow(changed)
  expect(readFileSync(to, 'utf8')).toBe('another’s\n')
})

test('[W8] moves keep their order, and each is synced before the next', () => {
  using t = temporary()
  for (const name of ['new-1', 'new-2']) mkdirSync(join(t.path, name))
  const done: string[] = []
  const disk: Disk = {
    ...durableDisk,
    rename(from, to) {
      durableDisk.rename(from, to)
      done.push(`rename ${to.toString().slice(t.path.length + 1)}`)
    },
    sync(file) {
      durableDisk.sync(file)
      done.push('sync')
    },
  }
  const moves = ['1', '2'].map((n) => ({ from: join(t.path, `new-${n}`), to: join(t.path, n) }))
  performRelocation(disk, { kind: 'make', moves, expected: null })
  expect(done).toEqual(['rename 1', 'sync', 'rename 2', 'sync'])
})
