import type { StatementSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { durableDisk, nameBytes, nameText, writeAll, type Disk, type Stat } from '#disk'
import type { Cell, CellId, LatestMove, ProjectPath, TurnId, Value } from '#timeline'
import { temporary, world } from '../../test/crash/world.ts'
import { allCells, allMoves, cellsOfTurn, dropCell, putCells, putMove } from './cells.ts'
import { checkStore } from './check.ts'
import { listContents, putContent } from './content.ts'
import { one, openDatabase, useWal, type Row } from './database.ts'
import { prepareDatabase } from './database-format.ts'
import {
  advanceLedger,
  appendLinks,
  latestLinks,
  ledgerSeq,
  linksOfPath,
  type NewLink,
} from './links.ts'
import { referencedBy } from './references.ts'
import { listOperations } from './operations.ts'
import { findProjectKey, listProjects } from './project-key.ts'
import { migrations } from './schema.ts'
import {
  dropSessionFact,
  getLargeFact,
  getSessionFact,
  putSessionFact,
  sessionsWithFact,
} from './session-facts.ts'
import { noteScan, allSightings } from './sightings.ts'
import { erasePath } from './erase.ts'
import { openStore, STORE_FORMAT, write, writeSoon } from './store.ts'

function code(expected: string): unknown {
  return expect.objectContaining({ code: expected })
}

function stat(path: string): Stat {
  return durableDisk.stat(nameBytes(path))!
}

function replaceFile(path: string, bytes: Buffer): void {
  durableDisk.unlink(nameBytes(path))
  const file = durableDisk.create(nameBytes(path), 0o600)
  writeAll(durableDisk, file, bytes)
  durableDisk.close(file)
}

function bytesOf(path: string): Buffer {
  const file = durableDisk.openFile(nameBytes(path))
  const bytes = Buffer.alloc(stat(path).size)
  durableDisk.read(file, bytes, 0)
  durableDisk.close(file)
  return bytes
}

describe('[S13] only its owner can access the store', () => {
  test.each([0o000, 0o022, 0o277])('directories 0700 and files 0600 with umask %o', (umask) => {
    using w = world({ isSeeded: false })
    const before = process.umask(umask)
    try {
      const store = w.open()
      putContent(store, Buffer.from('a'))
      const entries = durableDisk.list(nameBytes(store.directory)).map(nameText)
      expect(entries.sort()).toEqual(['root.json', 'store.db', 'store.db-shm', 'store.db-wal'])
      for (const entry of entries) expect(stat(`${store.directory}/${entry}`).mode).toBe(0o600)
      for (const path of [w.data, `${w.data}/projects`, store.directory])
        expect(stat(path).mode).toBe(0o700)
    } finally {
      process.umask(before)
    }
  })

  test('a symlink anywhere below the data directory is refused', () => {
    using w = world({ isSeeded: false })
    const elsewhere = nameBytes(`${w.path}/elsewhere`)
    durableDisk.makeDirectory(elsewhere, 0o700)
    durableDisk.symlink(elsewhere, nameBytes(w.data))
    expect(() => w.open()).toThrow(code('store-unsafe'))

    durableDisk.unlink(nameBytes(w.data))
    durableDisk.makeDirectory(nameBytes(w.data), 0o700)
    durableDisk.symlink(elsewhere, nameBytes(`${w.data}/projects`))
    expect(() => w.open()).toThrow(code('store-unsafe'))
    expect(durableDisk.list(elsewhere)).toEqual([])
  })

  test.each(['store.db', 'store.db-wal', 'store.db-journal'])(
    'a symlink at %s is refused',
    (name) => {
      using w = world()
      const first = w.open()
      first.close()
      const { directory } = first
      const bait = nameBytes(`${w.path}/bait`)
      durableDisk.close(durableDisk.create(bait, 0o600))
      if (durableDisk.stat(nameBytes(`${directory}/${name}`)) !== null)
        durableDisk.unlink(nameBytes(`${directory}/${name}`))
      durableDisk.symlink(bait, nameBytes(`${directory}/${name}`))
      expect(() => w.open()).toThrow(code('store-unsafe'))
    },
  )

  test('a directory that others can write to is refused', () => {
    using w = world()
    const first = w.open()
    first.close()
    const { directory } = first
    const file = durableDisk.openDirectory(nameBytes(directory))
    durableDisk.changeMode(file, 0o770)
    durableDisk.close(file)
    expect(() => w.open()).toThrow(code('store-unsafe'))
  })

  test('a directory of another user is refused', () => {
    using w = world()
    w.open().close()
    const foreign: Disk = {
      ...durableDisk,
      stat(path) {
        const found = durableDisk.stat(path)
        return found === null ? null : { ...found, owner: found.owner + 1 }
      },
    }
    expect(() => w.open(foreign)).toThrow(code('store-unsafe'))
  })
})

test('[FT2] a commit that returned survives a power cut: every one is synced', () => {
  using w = world()
  const store = w.open()
  const { database } = store
  const level = () => Number(one(database, 'pragma synchronous')!['synchronous'])
  expect(level()).toBe(2)
  expect(one(database, 'pragma journal_mode')).toEqual({ journal_mode: 'wal' })
  // Except for writes that may be lost, and only for those.
  expect(writeSoon(store, level)).toBe(1)
  expect(level()).toBe(2)
  const fail = () => {
    throw new Error('no')
  }
  expect(() => writeSoon(store, fail)).toThrow('no')
  expect(write(store, () => writeSoon(store, level))).toBe(2)
})

describe('[FT24] formats', () => {
  test('a store of a newer version can be read but not written', () => {
    using w = world()
    const old = w.open()
    const id = putContent(old, Buffer.from('a'))
    old.database.connection.exec('pragma user_version = 99')
    old.close()
    const store = w.open()
    expect(store.readOnly).toEqual(code('store-newer'))
    expect(one(store.database, 'select id from content')).toEqual({ id })
    expect(() => putContent(store, Buffer.from('b'))).toThrow(code('store-newer'))
    expect(() => store.database.connection.exec('delete from content')).toThrow('readonly')
  })

  /** A store file written by an earlier build, made with `test/fixtures/store/make-store.ts`. */
  function firstFormat(): Buffer {
    return gunzipSync(bytesOf('test/fixtures/store/format-1.db.gz'))
  }

  test('a store written by an earlier build opens with all its data', () => {
    using w = world()
    w.open().close()
    replaceFile(`${w.directory}/store.db`, firstFormat())
    const store = w.open()
    expect(store.readOnly).toBeNull()
    expect(one(store.database, 'pragma user_version')).toEqual({ user_version: migrations.length })
    expect(listOperations(store).map(({ verb, state }) => `${verb} ${state}`)).toEqual([
      'undo committed',
      'op-undo committed',
      'undo committed',
      'checkpoint committed',
      'redo committed',
      'undo committed',
    ])
    expect(listContents(store).length).toBeGreaterThan(10)
    expect(allCells(store).length).toBeGreaterThan(10)
    expect(referencedBy(store).size).toBeGreaterThan(10)
    expect(checkStore(store, { readData: true })).toMatchObject({
      database: [],
      contents: [],
      records: [],
    })
    putContent(store, Buffer.from('more'))
  })

  test('[4.6] commits and checkpoints also empty the cache of the drive, which macOS does not by itself', () => {
    using w = world({ isSeeded: false })
    using store = w.open()
    expect(one(store.database, 'pragma fullfsync')).toEqual({ fullfsync: 1 })
    expect(one(store.database, 'pragma checkpoint_fullfsync')).toEqual({ checkpoint_fullfsync: 1 })
  })

  test('a store of an older format is migrated once and keeps its data', () => {
    using at = temporary()
    const path = `${at.path}/store.db`
    const file = durableDisk.create(nameBytes(path), 0o600)
    writeAll(durableDisk, file, firstFormat())
    durableDisk.close(file)
    const next = {
      ...STORE_FORMAT,
      migrations: [...migrations, 'create table later (x integer) strict'],
    }
    for (let time = 0; time < 2; time += 1) {
      const database = openDatabase(path)
      expect(prepareDatabase(database, next)).toBeNull()
      expect(one(database, 'pragma user_version')).toEqual({ user_version: migrations.length + 1 })
      expect(one(database, 'select count(*) as n from later')).toEqual({ n: 0 })
      expect(one(database, 'select count(*) as n from operation')).toEqual({ n: 6 })
      database.connection.close()
    }
  })

  test.each([
    [
      "update sqlite_schema set sql = replace(sql, 'observed', 'oBserved') where name = 'observed'",
      { database: ['the table `observed` is not as Retake created it'] },
    ],
    [
      "update sqlite_schema set name = 'link_bY_path' where name = 'link_by_path'",
      {
        database: [
          'the index `link_by_path` is not as Retake created it',
          'the index `link_bY_path` was not created by Retake',
        ],
      },
    ],
    [
      "insert into sqlite_sequence values ('operation', 8)",
      { records: [{ table: 'sqlite_sequence', about: 'the number of the next operation' }] },
    ],
  ])('[R13] a changed schema that still works counts as damage: %s', (sql, damage) => {
    using w = world()
    const store = w.open()
    // Node 22 has no such mode.
    store.database.connection.enableDefensive?.(false)
    store.database.connection.exec('pragma writable_schema = on')
    store.database.connection.exec(sql)
    expect(checkStore(store, { readData: true })).toMatchObject(damage)
  })

  test('[sem.K1] every table declares how it refers to contents', () => {
    using w = world()
    const store = w.open()
    expect(referencedBy(store).size).toBe(0)
    store.database.connection.exec('create table later (content text)')
    expect(() => referencedBy(store)).toThrow(code('store-newer'))
  })

  test.each([
    ['store-foreign', Buffer.from('these are my notes\n'.repeat(500))],
    ['store-damaged', null],
  ])('[I0] %s: the file stays unchanged', (expected, content) => {
    using w = world()
    const first = w.open()
    putContent(first, Buffer.alloc(50_000, 'some text '))
    first.close()
    const path = `${first.directory}/store.db`
    const bytes = content ?? damagedSchema(bytesOf(path))
    replaceFile(path, bytes)
    expect(() => w.open()).toThrow(code(expected))
    expect(bytesOf(path).equals(bytes)).toBe(true)
  })

  function damagedSchema(bytes: Buffer): Buffer {
    const damaged = Buffer.from(bytes)
    damaged.fill(0xff, 100, 160)
    return damaged
  }

  test('[R7] a store that another process is just creating is not foreign', () => {
    using at = temporary()
    const path = `${at.path}/store.db`
    const database = openDatabase(path)
    useWal(database)
    const version = database.connection.prepare('pragma user_version')
    const meanwhile = (): Row | undefined => {
      database.statements.delete('pragma user_version')
      const other = openDatabase(path)
      prepareDatabase(other, STORE_FORMAT)
      other.connection.close()
      return version.get()
    }
    database.statements.set('pragma user_version', { get: meanwhile } as unknown as StatementSync)
    expect(prepareDatabase(database, STORE_FORMAT)).toBeNull()
    expect(one(database, 'select seq from ledger')).toEqual({ seq: 0 })
    database.connection.close()
  })

  test('another program’s database is foreign', () => {
    using w = world()
    const store = w.open()
    store.database.connection.exec('pragma application_id = 7')
    store.close()
    expect(() => w.open()).toThrow(code('store-foreign'))
  })

  test('a store that lost tables is damaged', () => {
    using w = world()
    const store = w.open()
    store.database.connection.exec('drop table cell')
    store.close()
    expect(() => w.open()).toThrow(code('store-damaged'))
  })

  test('an empty file left by a crash becomes a store', () => {
    using w = world()
    const store = w.open()
    store.close()
    replaceFile(`${store.directory}/store.db`, Buffer.alloc(0))
    expect(w.open().readOnly).toBeNull()
  })
})

describe('project keys', () => {
  const disk = durableDisk
  function key(data: string, path: string, changes: Partial<Stat>): string {
    return findProjectKey(disk, data, { path, stat: { ...stat('/'), born: 5n, ...changes } })
  }

  test('another path, inode or disk is another project', () => {
    using t = temporary()
    const keys = [
      key(t.path, '/a', { device: 1n, inode: 1n }),
      key(t.path, '/b', { device: 1n, inode: 1n }),
      key(t.path, '/a', { device: 1n, inode: 2n }),
      key(t.path, '/a', { device: 2n, inode: 1n }),
    ]
    expect(new Set(keys).size).toBe(4)
  })

  test('[I0] a device number that changed with a reboot does not lose the history', () => {
    using t = temporary()
    const root = { path: '/a', stat: { ...stat('/'), device: 1n, inode: 1n, born: 5n } }
    openStore({ data: t.path, root, disk }).close()
    const first = key(t.path, '/a', { device: 1n, inode: 1n })
    expect(key(t.path, '/a', { device: 2n, inode: 1n })).toBe(first)
    expect(key(t.path, '/a', { device: 2n, inode: 1n, born: 6n })).not.toBe(first)
    expect(key(t.path, '/a', { device: 2n, inode: 1n, born: 0n })).not.toBe(first)
    expect(listProjects(disk, t.path)).toMatchObject([{ key: first, path: '/a' }])
  })
})

describe('records', () => {
  // The second name is not UTF-8; the third equals its text if invalid bytes are replaced.
  const names = ['a b/ü', 'a/\udcff', 'a/\ufffd'] as ProjectPath[]
  const file: Value = {
    kind: 'file',
    content: 'ce013625030ba8dba906f756967f9e9ca394464a' as never,
    mode: 0o644,
  }
  const symlink: Value = { kind: 'symlink', target: 'x\udc80' }
  const unknown: Value = { kind: 'unknown', why: 'never seen' }

  test('[FT18] links keep their paths and values, byte for byte', () => {
    using w = world()
    const store = w.open()
    const links = names.map((path): NewLink => ({
      path,
      from: names[1]!,
      before: symlink,
      after: file,
      author: { kind: 'turn', id: 't1' },
      evidence: 'recorded edit',
      gitHead: null,
      at: 7,
    }))
    expect(appendLinks(store, links)).toEqual([1, 2, 3])
    for (const [n, path] of names.entries())
      expect(linksOfPath(store, path)).toEqual([{ ...links[n], seq: n + 1 }])
    expect(ledgerSeq(store)).toBe(3)
    appendLinks(store, [{ ...links[0]!, before: file, after: unknown }])
    expect(latestLinks(store).map(({ seq }) => seq)).toEqual([2, 3, 4])
  })

  const cell: Cell = {
    id: 't1:1' as CellId,
    turn: 't1' as TurnId,
    path: names[1]!,
    renamedFrom: null,
    seq: 1,
    in: true,
    since: 1,
    earlier: [],
    reverted: false,
    revertedSeq: null,
    eff: [{ before: symlink, after: file }],
    last: null,
    lastFrom: null,
    doubt: null,
    changes: 1,
    madeDirectories: [],
  }

  test('[sem.K3] a check finds a content that a cell refers to and the store lacks', () => {
    using w = world()
    const store = w.open()
    putCells(store, [{ ...cell, eff: [{ before: symlink, after: symlink }] }])
    expect(checkStore(store, { readData: false }).contents).toEqual([])
    putCells(store, [cell])
    expect(checkStore(store, { readData: false }).contents).toMatchObject([
      { problem: 'missing', paths: [cell.path], turns: ['t1'] },
    ])
  })

  test('[sem.O1] the version of a cell increases when it changes', () => {
    using w = world()
    const store = w.open()
    putCells(store, [cell])
    expect(cellsOfTurn(store, cell.turn)).toEqual([{ cell, version: 1 }])
    const out = { ...cell, in: false, last: { pre: file, post: unknown } }
    putCells(store, [out])
    expect(allCells(store)).toEqual([{ cell: out, version: 2 }])
    dropCell(store, cell.id)
    expect(allCells(store)).toEqual([])
  })

  test('[sem.V2] the latest move of a path replaces the one before', () => {
    using w = world()
    const store = w.open()
    const move = (post: Value): LatestMove => ({
      moved: [{ cell: cell.id, to: 'out' }],
      files: [{ path: names[2]!, pre: file, post }],
      cellsBefore: [cell],
    })
    putMove(store, names[2]!, move(symlink))
    putMove(store, names[2]!, move(unknown))
    expect(allMoves(store)).toEqual(new Map([[names[2], move(unknown)]]))
    putMove(store, names[2]!, null)
    expect(allMoves(store)).toEqual(new Map())
  })

  test('[sem.K1] references to contents are found in links, cells, moves, sightings and facts', () => {
    using w = world()
    const store = w.open()
    const path = names[2]!
    const valueOf = (text: string): Value => ({
      kind: 'file',
      content: putContent(store, Buffer.from(text)),
      mode: 0o644,
    })
    const [before, after] = [valueOf('before'), valueOf('after')]
    const kinds = (): string[] =>
      [...referencedBy(store).values()]
        .flatMap((namings) => namings.map(({ by }) => by.kind))
        .sort()
    const times = { since: 0, began: 1, at: 2, changedAt: 1 }
    noteScan(store, { began: 1, at: 2, git: null }, [{ path, before, after, ...times }])
    expect(kinds()).toEqual(['sighting', 'sighting'])
    putCells(store, [{ ...cell, eff: [{ before, after }], last: null }])
    putMove(store, path, {
      moved: [],
      files: [{ path, pre: before, post: after }],
      cellsBefore: [],
    })
    putSessionFact(store, 'session', 'kept', { deep: [{ value: after }] })
    expect(new Set(kinds())).toEqual(new Set(['cell', 'fact', 'move', 'sighting']))
  })

  test('[sem.A5] a purge erases contents but keeps the record that a turn changed the file', () => {
    using w = world()
    const store = w.open()
    const path = names[2]!
    const content = putContent(store, Buffer.from('secret'))
    const after: Value = { kind: 'file', content, mode: 0o644 }
    const times = { since: 0, began: 1, at: 2, changedAt: 1 }
    const seen = { path, before: { kind: 'absent' } as const, after, ...times }
    noteScan(store, { began: 1, at: 2, git: null }, [seen])
    expect(erasePath(store, path, 3).contents).toHaveLength(1)
    expect(allSightings(store)).toEqual([
      { ...seen, after: { kind: 'unknown', why: 'it was purged' } },
    ])
  })

  test('[FT22] links and moves are numbered by one ledger', () => {
    using w = world()
    const store = w.open()
    advanceLedger(store, 7)
    advanceLedger(store, 3)
    expect(ledgerSeq(store)).toBe(7)
  })

  test('facts of a session can be set, read and deleted', () => {
    using w = world()
    const store = w.open()
    putSessionFact(store, 's1', 'pending', { target: 't3' })
    putSessionFact(store, 's1', 'pending', { target: 't2' })
    putSessionFact(store, 's2', 'pending', null)
    expect(getSessionFact(store, 's1', 'pending')).toEqual({ target: 't2' })
    expect(sessionsWithFact(store, 'pending')).toHaveLength(2)
    dropSessionFact(store, 's1', 'pending')
    expect(getSessionFact(store, 's1', 'pending')).toBeUndefined()
  })

  test('[sem.A6] an unreadable value is an error, never absent', () => {
    using w = world()
    const store = w.open()
    putMoveless(store)
    expect(() => latestLinks(store)).toThrow(code('store-damaged'))
  })

  function putMoveless(store: ReturnType<typeof openStore>): void {
    write(store, () =>
      store.database.connection.exec(
        `insert into link (seq, path, before, after, author_kind, evidence, at)
         values (1, x'61', '{"kind":"absent"}', '{"kind":"fi', 'outside', '', 1)`,
      ),
    )
  }
})

test('a large fact is parsed once, and again after another process changed it', () => {
  using w = world()
  const [store, other] = [w.open(), w.open()]
  const fact = (words: string): object => ({ words: words.repeat(20_000) })
  putSessionFact(store, 's', 'f', fact('before'))
  const first = getLargeFact(store, 's', 'f')
  expect(first).toEqual(fact('before'))
  expect(getLargeFact(store, 's', 'f')).toBe(first)
  putSessionFact(other, 's', 'f', fact('after'))
  expect(getLargeFact(store, 's', 'f')).toEqual(fact('after'))
  dropSessionFact(store, 's', 'f')
  expect(getLargeFact(store, 's', 'f')).toBeUndefined()
})
