import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { durableDisk, faultyDisk, nameBytes } from '#disk'
import type { Failure } from '#failure'
import type { ContentId } from '#timeline'
import { world } from '../../test/crash/world.ts'
import { checkStore } from './check.ts'
import {
  contentIdOf,
  getContent,
  hasContent,
  LARGE,
  setContentAside,
  putContent,
  sweepLarge,
} from './content.ts'
import { all, one, run } from './database.ts'
import { write, type Store } from './store.ts'

describe('contents', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from([0])],
    ['text with CRLF and no end', Buffer.from('a\r\nb\nc')],
    ['a lot of the same', Buffer.alloc(100_000, 'x')],
    ['noise', randomBytes(70_000)],
    ['noise in a file of its own', randomBytes(LARGE + 1)],
  ])('[FT17] %s comes back byte for byte', (_, bytes) => {
    using w = world()
    const store = w.open()
    const id = putContent(store, bytes)
    store.close()
    expect(getContent(w.open(), id).equals(bytes)).toBe(true)
  })

  test('[FT17] [FT24] an empty content comes back that 0.1.0 stored on Node 22', () => {
    using w = world()
    const store = w.open()
    const id = putContent(store, Buffer.alloc(0))
    run(store.database, 'update content set bytes = null where id = ?', id)
    expect(getContent(store, id)).toEqual(Buffer.alloc(0))
    for (const readData of [false, true])
      expect(checkStore(store, { readData }).contents).toEqual([])
  })

  test('an id equals git’s blob id', () => {
    expect(contentIdOf(Buffer.from('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a')
    expect(contentIdOf(Buffer.alloc(0))).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391')
  })

  test('the same content is stored once', () => {
    using w = world()
    const store = w.open()
    putContent(store, Buffer.from('a'))
    putContent(store, Buffer.from('a'))
    expect(all(store.database, 'select id from content')).toHaveLength(1)
  })

  test('[I0] a second content with the same id is refused', () => {
    using w = world()
    const store = w.open()
    const id = putContent(store, Buffer.from('a'))
    run(store.database, 'update content set sha256 = ? where id = ?', randomBytes(32), id)
    expect(() => putContent(store, Buffer.from('a'))).toThrow(
      expect.objectContaining({ code: 'content-collision' }),
    )
  })

  test('[sem.K1] storing a content again saves it from gc', () => {
    using w = world()
    const store = w.open()
    const id = putContent(store, Buffer.from('a'))
    setContentAside(store, id, 1)
    expect(hasContent(store, id)).toBe(false)
    expect(putContent(store, Buffer.from('a'))).toBe(id)
    expect(hasContent(store, id)).toBe(true)
  })

  test('a content that was never stored is missing', () => {
    using w = world()
    const store = w.open()
    const id = contentIdOf(Buffer.from('never'))
    expect(hasContent(store, id)).toBe(false)
    expect(() => getContent(store, id)).toThrow(
      expect.objectContaining({ code: 'content-missing' }),
    )
  })

  test('[FT4] a check names a large content whose file is missing', () => {
    using w = world()
    const store = w.open()
    const id = putContent(store, randomBytes(LARGE + 1))
    durableDisk.unlink(nameBytes(`${store.directory}/large/${id}`))
    expect(checkStore(store, { readData: false }).contents).toMatchObject([
      { id, problem: 'missing' },
    ])
  })
})

describe('[R13] bit rot', () => {
  test('a check finds every flipped bit of a content, and no read returns damaged bytes', () => {
    using w = world()
    const store = w.open()
    const contents = [Buffer.alloc(4000, 'text '), randomBytes(1000), Buffer.from('short')]
    const ids = contents.map((bytes) => putContent(store, bytes))
    for (let round = 0; round < 300; round += 1) {
      const id = ids[round % ids.length]!
      const whole = Buffer.from(
        one(store.database, 'select bytes from content where id = ?', id)!['bytes'] as Uint8Array,
      )
      flip(store, id, whole, randomBytes(4).readUInt32LE() % (whole.length * 8))
      expect(checkStore(store, { readData: true }).contents).toMatchObject([
        { id, problem: 'damaged' },
      ])
      expect(handedOut(store, id)).toBeOneOf(['content-damaged', id])
      run(store.database, 'update content set bytes = ? where id = ?', whole, id)
    }
    expect(checkStore(store, { readData: true })).toEqual({
      database: [],
      records: [],
      contents: [],
      checked: 3,
    })
  })

  /** The id of the bytes that come out, or the Failure's code. */
  function handedOut(store: Store, id: ContentId): string {
    try {
      return contentIdOf(getContent(store, id))
    } catch (error) {
      expect(String(error)).toContain(id)
      return (error as Failure).code
    }
  }

  function flip(store: Store, id: string, whole: Buffer, bit: number): void {
    const damaged = Buffer.from(whole)
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    run(store.database, 'update content set bytes = ? where id = ?', damaged, id)
  }
})

test('[FT2] a large content is synced before its rename, and the rename before its row', () => {
  using w = world()
  const done: string[] = []
  const store = w.open({
    ...durableDisk,
    sync(file) {
      done.push(`sync ${durableDisk.statOpen(file).kind}`)
      durableDisk.sync(file)
    },
    link(from, to) {
      done.push('name')
      durableDisk.link(from, to)
    },
  })
  putContent(store, randomBytes(LARGE + 1))
  expect(done.slice(-3)).toEqual(['sync file', 'name', 'sync directory'])
})

describe('[FT1] a crash while a large content is stored', () => {
  test('leaves a working store, and no file without a row', () => {
    const bytes = randomBytes(LARGE + 1)
    for (let at = 1; ; at += 1) {
      using w = world()
      w.open().close()
      const disk = faultyDisk(durableDisk, [{ kind: 'die', at }])
      let isDead = false
      try {
        putContent(w.open(disk), bytes)
      } catch {
        isDead = true
      }
      const store = w.open()
      sweepLarge(store)
      const named = all(store.database, 'select id from content').map((row) => row['id'])
      const large = `${store.directory}/large`
      const files =
        durableDisk.stat(nameBytes(large)) === null ? [] : durableDisk.list(nameBytes(large))
      expect(files.map(String)).toEqual(named)
      expect(checkStore(store, { readData: true }).contents).toEqual([])
      if (!isDead) break
    }
  })
})

test('a transaction that throws writes nothing', () => {
  using w = world()
  const store = w.open()
  expect(() =>
    write(store, () => {
      putContent(store, Buffer.from('a'))
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(all(store.database, 'select * from content')).toEqual([])
})
