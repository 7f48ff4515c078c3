import { appendFileSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporary } from '../../test/crash/world.ts'
import { durableDisk, type Disk } from './durable-disk.ts'
import { inspectAppend, performAppend, prepareAppend, type Append } from './write-append.ts'

const TEXT = '{"a":1}\n{"b":2}\n'
const RECORD = Buffer.from(TEXT)

function prepare(path: string, before: string): Append {
  writeFileSync(path, before)
  const { ino, size } = lstatSync(path, { bigint: true })
  return prepareAppend(durableDisk, path, { inode: ino, size: Number(size) }, RECORD)!
}

function inTemporary(check: (path: string) => void): void {
  using t = temporary()
  check(join(t.path, 'transcript.jsonl'))
}

describe('[I5] an append', () => {
  test.each([
    ['an empty file', '', ''],
    ['whole lines', '{"x":1}\n', ''],
    ['a torn line gets a newline first', '{"x":1}\n{"to', '\n'],
  ])('after %s', (_, before, guard) =>
    inTemporary((path) => {
      const append = prepare(path, before)
      expect(inspectAppend(durableDisk, append)).toEqual({ kind: 'not-yet' })
      performAppend(durableDisk, append)
      expect(readFileSync(path, 'utf8')).toBe(`${before}${guard}${TEXT}`)
      expect(inspectAppend(durableDisk, append)).toEqual({ kind: 'done' })
    }),
  )

  test('is written once, however often it is performed', () =>
    inTemporary((path) => {
      const append = prepare(path, 'x\n')
      for (let n = 0; n < 3; n += 1) performAppend(durableDisk, append)
      expect(readFileSync(path, 'utf8')).toBe(`x\n${TEXT}`)
    }))

  test('continues where a crash cut it off', () => {
    for (let cut = 0; cut <= RECORD.length; cut += 1)
      inTemporary((path) => {
        const append = prepare(path, 'x\n')
        appendFileSync(path, RECORD.subarray(0, cut))
        performAppend(durableDisk, append)
        expect(readFileSync(path, 'utf8')).toBe(`x\n${TEXT}`)
      })
  })

  test('[I7] is done only when its bytes are in the file, whatever write returned', () =>
    inTemporary((path) => {
      const append = prepare(path, 'x\n')
      const lying: Disk = { ...durableDisk, write: (_, bytes) => bytes.length }
      expect(() => performAppend(lying, append)).toThrow('Another program wrote to')
    }))

  test('is one write', () =>
    inTemporary((path) => {
      const append = prepare(path, 'x\n')
      let writes = 0
      const counting: Disk = {
        ...durableDisk,
        write(file, bytes) {
          writes += 1
          return durableDisk.write(file, bytes)
        },
      }
      performAppend(counting, append)
      expect(writes).toBe(1)
    }))
})

describe('[FT13] [FT15] an append to a file that another program writes to', () => {
  test.each<[string, (path: string) => void]>([
    ['written to', (path) => appendFileSync(path, 'theirs\n')],
    ['cut', (path) => writeFileSync(path, '')],
    [
      'replaced',
      (path) => {
        writeFileSync(`${path}.new`, 'x\n')
        renameSync(`${path}.new`, path)
      },
    ],
  ])('%s is refused, and writes nothing', (_, change) =>
    inTemporary((path) => {
      const append = prepare(path, 'x\n')
      change(path)
      const theirs = readFileSync(path, 'utf8')
      expect(inspectAppend(durableDisk, append)).toEqual({ kind: 'foreign' })
      expect(() => performAppend(durableDisk, append)).toThrow(
        expect.objectContaining({ code: 'conversation-changed' }),
      )
      expect(readFileSync(path, 'utf8')).toBe(theirs)
    }),
  )

  test('is not planned if the file is not as expected', () =>
    inTemporary((path) => {
      prepare(path, 'x\n')
      const { ino, size } = lstatSync(path, { bigint: true })
      const plan = (inode: bigint, length: number) =>
        prepareAppend(durableDisk, path, { inode, size: length }, RECORD)
      expect(plan(ino, Number(size) + 1)).toBeNull()
      expect(plan(ino + 1n, Number(size))).toBeNull()
    }))

  test('succeeds if the other program writes at the same moment or later', () =>
    inTemporary((path) => {
      const append = prepare(path, 'x\n')
      const racing: Disk = {
        ...durableDisk,
        write(file, bytes) {
          appendFileSync(path, 'theirs, just before\n')
          return durableDisk.write(file, bytes)
        },
      }
      performAppend(racing, append)
      appendFileSync(path, 'theirs, after\n')
      expect(readFileSync(path, 'utf8')).toBe(`x\ntheirs, just before\n${TEXT}theirs, after\n`)
      expect(inspectAppend(durableDisk, append)).toEqual({ kind: 'done' })
    }))
})

describe('[FT3] [FT4] an append that fails', () => {
  test.each<[string, Partial<Disk>]>([
    [
      'on a full disk',
      {
        write(file, bytes) {
          if (bytes.length < RECORD.length) throw Object.assign(new Error(), { code: 'ENOSPC' })
          return durableDisk.write(file, bytes.subarray(0, 5))
        },
      },
    ],
    [
      'at its sync',
      {
        sync() {
          throw Object.assign(new Error(), { code: 'EIO' })
        },
      },
    ],
  ])('%s removes its own bytes, and no others', (_, fault) =>
    inTemporary((path) => {
      const append = prepare(path, 'x\n')
      expect(() => performAppend({ ...durableDisk, ...fault }, append)).toThrow()
      expect(readFileSync(path, 'utf8')).toBe('x\n')
    }),
  )

  test('removes nothing if another program has written after it', () =>
    inTemporary((path) => {
      const append = prepare(path, 'x\n')
      const disk: Disk = {
        ...durableDisk,
        sync() {
          appendFileSync(path, 'theirs\n')
          throw Object.assign(new Error(), { code: 'EIO' })
        },
      }
      expect(() => performAppend(disk, append)).toThrow()
      expect(readFileSync(path, 'utf8')).toBe(`x\n${TEXT}theirs\n`)
    }))
})
