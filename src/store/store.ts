import { Failure } from '#failure'
import {
  inspectPrivate,
  makePrivateDirectory,
  makePrivateFile,
  nameBytes,
  type Disk,
  type Stat,
} from '#disk'
import { all, openDatabase, transact, type Database } from './database.ts'
import { checkSchema, prepareDatabase, type DatabaseFormat } from './database-format.ts'
import { findProjectKey, recordRoot, type ProjectRoot } from './project-key.ts'
import { APPLICATION_ID, migrations } from './schema.ts'
import { sealed } from './schema-seals.ts'
import { sealsOf } from './seals.ts'
import { isBusy, sqliteCode, storeFailure } from './sqlite-failure.ts'

const FILE = 'store.db'
export const STORE_FORMAT: DatabaseFormat = { application: APPLICATION_ID, migrations }

/**
 * The store of one project. Writes are atomic: SQLite in WAL mode with `synchronous = FULL`, so
 * that a commit that returned survives a power cut.
 */
export interface Store extends Disposable {
  readonly directory: string
  readonly disk: Disk
  readonly database: Database
  /** The directory's identity, to make sure that project files are never written into it. */
  readonly identity: Stat
  /** Why nothing can be written; null if writing is possible. */
  readonly readOnly: Failure | null
  close(): void
}

/** Opens the store of a project below `<data>/projects`, and creates it if it does not exist. */
export function openStore({
  data,
  root,
  disk,
}: {
  data: string
  root: ProjectRoot
  disk: Disk
}): Store {
  const key = findProjectKey(disk, data, root)
  const directory = makePrivateDirectory(disk, data, ['projects', key])
  recordRoot(disk, directory, root)
  const path = `${directory}/${FILE}`
  makePrivateFile(disk, directory, FILE)
  for (const suffix of ['-wal', '-shm', '-journal'])
    inspectPrivate(disk, `${path}${suffix}`, 'file')

  const database = openDatabase(path, { seals: sealsOf(sealed) })
  let readOnly: Failure | null
  try {
    readOnly = prepareDatabase(database, STORE_FORMAT)
  } catch (error) {
    database.connection.close()
    throw storeFailure(error, path)
  }
  const close = () => {
    if (database.connection.isOpen) database.connection.close()
  }
  const identity = disk.stat(nameBytes(directory))!
  return { directory, disk, database, identity, readOnly, close, [Symbol.dispose]: close }
}

/** Runs a function in one durable transaction. It must be synchronous. */
export function write<T>(store: Store, change: () => T): T {
  if (store.readOnly !== null) throw store.readOnly
  return transact(store.database, change)
}

/**
 * The same without waiting for the disk: a power cut may lose the whole transaction until the next
 * `write`. For data that the next start can recompute.
 */
export function writeSoon<T>(store: Store, change: () => T): T {
  const { connection } = store.database
  if (connection.isTransaction) return write(store, change)
  connection.exec('pragma synchronous = normal')
  try {
    return write(store, change)
  } finally {
    restoreSync(store)
  }
}

/** Close a connection that cannot sync again: its next commits would not be durable. */
function restoreSync(store: Store): void {
  const { connection } = store.database
  if (!connection.isOpen) return
  try {
    connection.exec('pragma synchronous = full')
  } catch (error) {
    store.close()
    throw error
  }
}

/** Returns freed space to the disk. Skipped (false) while another process reads. */
export function compact({ database }: Pick<Store, 'database'>): boolean {
  try {
    database.connection.exec('pragma wal_checkpoint(truncate)')
    database.connection.exec('vacuum')
    database.connection.exec('pragma wal_checkpoint(truncate)')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw storeFailure(error, database.path)
  }
}

/** Problems that SQLite finds in a database, and differences in its schema; empty if intact. */
export function checkDatabase(database: Database, format: DatabaseFormat): string[] {
  try {
    const messages = all(database, 'pragma integrity_check').map((row) =>
      String(row['integrity_check']),
    )
    const broken = all(database, 'pragma foreign_key_check').map(
      (row) => `${String(row['table'])} names a row of ${String(row['parent'])} that is not there`,
    )
    return [
      ...messages.filter((message) => message !== 'ok'),
      ...checkSchema(database, format),
      ...broken,
    ]
  } catch (error) {
    if (error instanceof Failure) return [error.message]
    if (sqliteCode(error) !== undefined) return [String(error)]
    throw error
  }
}
