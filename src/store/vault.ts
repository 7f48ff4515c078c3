import { lookAtPrivate, makePrivateDirectory, makePrivateFile, nameBytes, type Disk } from '#disk'
import type { Failure } from '#failure'
import { openDatabase, transact, type Database } from './database.ts'
import { prepareDatabase, type DatabaseFormat } from './database-format.ts'
import { findBroken, sealingOf, sealsOf, type Sealed } from './seals.ts'
import { storeFailure } from './sqlite-failure.ts'
import { checkDatabase } from './store.ts'

/**
 * The vault has a copy of every byte of a session's files that Retake has seen, because agents
 * truncate, rewrite and clean up their own. One for the machine: a session may belong to no
 * project, and what became of all of them is asked at once.
 *
 * A file is kept as it grows, in packed chunks. One that shrank or was rewritten begins a new
 * generation; the former stays.
 */
export interface Vault extends Disposable {
  readonly directory: string
  readonly database: Database
  readonly readOnly: Failure | null
}

const FILE = 'vault.db'

const sealed: readonly Sealed[] = [
  { table: 'session', key: ['id'], columns: ['id', 'project', 'title'] },
  {
    table: 'file',
    key: ['id'],
    columns: [
      'id',
      'session',
      'role',
      'path',
      'generation',
      'kept',
      'inode',
      'modified',
      'lost',
      'lost_at',
      'lost_size',
      'rescued',
    ],
  },
]

/** Its sum is over the packed bytes too: some damage to them unpacks unharmed. */
const sealedChunk: Sealed = {
  table: 'chunk',
  key: ['id'],
  columns: ['id', 'file', 'start', 'size', 'crc', 'sha256', 'bytes', 'redacted'],
}

const FORMAT: DatabaseFormat = {
  application: 0x52_54_4b_57,
  migrations: [
    `
    create table session (
      id text primary key,
      project text,
      title text not null
    ) strict, without rowid;

    create table file (
      id integer primary key,
      session text not null references session (id),
      role text not null check (role in ('transcript', 'agent', 'beside', 'checkpoint')),
      path text not null,
      generation integer not null,
      kept integer not null,          -- bytes, from the beginning
      inode text not null,
      modified text not null,         -- as it was when everything up to 'kept' was read
      lost text check (lost in ('shrunk', 'rewritten', 'gone')),
      lost_at integer,
      lost_size integer,              -- what was left of it
      rescued text,                   -- the session it was written back as
      unique (path, generation)
    ) strict;
    create index file_by_session on file (session);

    create table chunk (
      id integer primary key,
      file integer not null references file (id),
      start integer not null,
      size integer not null,
      crc integer not null,           -- of the bytes in the file
      sha256 blob not null,
      bytes blob not null,            -- packed
      redacted integer not null default 0,
      unique (file, start)
    ) strict;
    ` + sealingOf([...sealed, sealedChunk]),
  ],
}

export function openVault({ data, disk }: { data: string; disk: Disk }): Vault {
  const directory = makePrivateDirectory(disk, data, ['vault'])
  const path = `${directory}/${FILE}`
  makePrivateFile(disk, directory, FILE)
  for (const suffix of ['-wal', '-shm', '-journal']) lookAtPrivate(disk, `${path}${suffix}`, 'file')
  const database = openDatabase(path, { seals: sealsOf([...sealed, sealedChunk]) })
  try {
    const readOnly = prepareDatabase(database, FORMAT)
    const close = (): void => {
      if (database.connection.isOpen) database.connection.close()
    }
    return { directory, database, readOnly, [Symbol.dispose]: close }
  } catch (error) {
    database.connection.close()
    throw storeFailure(error, path)
  }
}

/** The vault, if there is one: looking must not make it. */
export function findVault(places: { data: string; disk: Disk }): Vault | null {
  const path = `${places.data}/vault/${FILE}`
  return places.disk.stat(nameBytes(path)) === null ? null : openVault(places)
}

export function writeVault<T>({ database, readOnly }: Vault, change: () => T): T {
  if (readOnly !== null) throw readOnly
  return transact(database, change)
}

/** Chunks that are not what was written, by their numbers. */
export function brokenChunks({ database }: Vault): Set<number> {
  return new Set(findBroken(database, sealedChunk).map(({ id }) => Number(id)))
}

/** What SQLite, or the sums of its records, say is wrong with the vault itself. */
export function checkVaultRecords({ database }: Vault): string[] {
  const broken = sealed.flatMap((each) =>
    findBroken(database, each).map((key) => `a record of \`${each.table}\` (${String(key['id'])})`),
  )
  return [...checkDatabase(database, FORMAT), ...broken]
}
