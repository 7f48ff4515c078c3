import { expect, test } from 'vitest'
import { durableDisk, nameBytes, readSmallFile, writeAll } from '#disk'
import { temporary } from '../../test/crash/world.ts'
import { openCache, type Cache } from './cache.ts'
import { all, run } from './database.ts'

const format = { version: 1, schema: 'create table seen (path text) strict' }

function open(directory: string, version = 1): Cache {
  return openCache({ directory, name: 'cache.db', disk: durableDisk }, { ...format, version })
}

function replace(path: string, bytes: Buffer): void {
  durableDisk.unlink(nameBytes(path))
  const file = durableDisk.create(nameBytes(path), 0o600)
  writeAll(durableDisk, file, bytes)
  durableDisk.close(file)
}

test('[4.6] a cache keeps its contents while its version stays the same', () => {
  using t = temporary()
  const first = open(t.path)
  run(first.database, 'insert into seen values (?)', 'a')
  first.close()
  using second = open(t.path)
  expect(all(second.database, 'select path from seen')).toEqual([{ path: 'a' }])
})

test('[4.6] a cache of another version is recreated', () => {
  using t = temporary()
  const first = open(t.path)
  run(first.database, 'insert into seen values (?)', 'a')
  first.close()
  using second = open(t.path, 2)
  expect(all(second.database, 'select path from seen')).toEqual([])
})

test.each([
  ['garbage', Buffer.from('not a database'.repeat(400))],
  ['half a header', Buffer.from('SQLite format 3\0')],
])('[4.6] a cache that is %s is recreated', (_, bytes) => {
  using t = temporary()
  open(t.path).close()
  replace(`${t.path}/cache.db`, bytes)
  using second = open(t.path)
  expect(all(second.database, 'select path from seen')).toEqual([])
})

test('[4.6] a cache found damaged during use is recreated and works again', () => {
  using t = temporary()
  const first = open(t.path)
  for (let n = 0; n < 2000; n++) run(first.database, 'insert into seen values (?)', `path ${n}`)
  first.close()
  const path = `${t.path}/cache.db`
  const bytes = readSmallFile(path, 1e6)!
  const pageSize = bytes.readUInt16BE(16)
  replace(path, bytes.fill(0xff, 2 * pageSize, 3 * pageSize))
  using second = open(t.path)
  const paths = (): unknown => second.attempt((database) => all(database, 'select path from seen'))
  expect(paths()).toBe(null)
  expect(paths()).toEqual([])
})

test('[S13] a symlink in place of a cache is not followed', () => {
  using t = temporary()
  const bait = nameBytes(`${t.path}/bait`)
  durableDisk.close(durableDisk.create(bait, 0o600))
  durableDisk.symlink(bait, nameBytes(`${t.path}/cache.db`))
  expect(() => open(t.path)).toThrow(expect.objectContaining({ code: 'store-unsafe' }))
})
