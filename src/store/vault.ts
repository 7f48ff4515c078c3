import { inspectPrivate, makePrivateDirectory, makePrivateFile, nameBytes, type Disk } from '#disk'
import type { Failure } from '#failure'
import { openDatabase, transact, type Database } from './database.ts'
import { prepareDatabase, type DatabaseFormat } from './database-format.ts'
import { findBroken, sealingOf, sealsOf, type Sealed } from './seals.ts'
import { storeFailure } from './sqlite-failure.ts'
import { checkDatabase } from './store.ts'

/**
 * The vault holds a copy of every byte of a session's files that Retake has seen, because agents
 * truncate, rewrite and delete their own. There is one per machine: a session may belong to no
 * project, and `rescue` lists all of them at once.
 *
 * It stores a file in compressed chunks as it grows. A file that shrank or was rewritten starts a
 * new generation; the old one stays.
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

/** The checksum also covers the compressed bytes: some damage to them decompresses unnoticed. */
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
  for (const suffix of ['-wal', '-shm', '-journal'])
    inspectPrivate(disk, `${path}${suffix}`, 'file')
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

/** The vault, if it exists. Reading must not create it. */
export function findVault(places: { data: string; disk: Disk }): Vault | null {
  const path = `${places.data}/vault/${FILE}`
  return places.disk.stat(nameBytes(path)) === null ? null : openVault(places)
}

export function writeVault<T>({ database, readOnly }: Vault, change: () => T): T {
  if (readOnly !== null) throw readOnly
  return transact(database, change)
}

/** The ids of chunks whose checksum does not match. */
export function brokenChunks({ database }: Vault): Set<number> {
  return new Set(findBroken(database, sealedChunk).map(({ id }) => Number(id)))
}

/** Problems that SQLite or the checksums find in the vault itself. */
export function checkVaultRecords({ database }: Vault): string[] {
  const broken = sealed.flatMap((each) =>
    findBroken(database, each).map((key) => `a record of \`${each.table}\` (${String(key['id'])})`),
  )
  return [...checkDatabase(database, FORMAT), ...broken]
}
