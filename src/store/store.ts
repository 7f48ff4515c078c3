import { Failure } from '#failure'
import {
  lookAtPrivate,
  makePrivateDirectory,
  makePrivateFile,
  nameBytes,
  type Disk,
  type Stat,
} from '#disk'
import { all, one, openDatabase, transact, type Database } from './database.ts'
import { findProjectKey, recordRoot, type ProjectRoot } from './project-key.ts'
import { APPLICATION_ID, migrations } from './schema.ts'
import { isBusy, sqliteCode, storeFailure } from './sqlite-failure.ts'

const FILE = 'store.db'
/** As many as the first format has; fewer mean that the file lost some. */
const TABLES = 14

/**
 * One project's memory. Everything in it is either there whole or not at all: SQLite in WAL mode
 * with `synchronous = FULL`, so that a commit that returned survives a power cut.
 */
export interface Store extends Disposable {
  readonly directory: string
  readonly disk: Disk
  readonly database: Database
  /** The directory's identity: nothing of a project is ever written into it. */
  readonly identity: Stat
  /** Why nothing can be written; null when everything can. */
  readonly readOnly: Failure | null
  close(): void
}

/** Opens the store of a project below `<data>/projects`, and makes it when it is not there. */
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
  for (const suffix of ['-wal', '-shm', '-journal']) lookAtPrivate(disk, `${path}${suffix}`, 'file')

  const database = openDatabase(path)
  let readOnly: Failure | null
  try {
    readOnly = prepare(database)
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

/** One transaction: all of it, durable, or nothing. The function must not wait for anything. */
export function write<T>(store: Store, change: () => T): T {
  if (store.readOnly !== null) throw store.readOnly
  return transact(store.database, change)
}

/** Checks whose file this is before the first pragma that would write to it. */
function prepare(database: Database): Failure | null {
  const { connection, path } = database
  const application = Number(one(database, 'pragma application_id')!['application_id'])
  const format = Number(one(database, 'pragma user_version')!['user_version'])
  const tables = Number(
    one(
      database,
      "select count(*) as n from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
    )!['n'],
  )
  // Without tables it is a file that we made and died before filling.
  const isNew = application === 0 && format === 0 && tables === 0
  if (!isNew && application !== APPLICATION_ID)
    throw new Failure('store-foreign', `${path} is not a store of Retake.`, {
      hint: 'Move the file away if it is not needed, then try again. It was not changed.',
    })
  if (format > migrations.length) {
    connection.exec('pragma query_only = on')
    return new Failure('store-newer', `A newer version of Retake wrote ${path}.`, {
      hint: 'Update Retake. Until then this project can be looked at, not changed.',
    })
  }
  if (!isNew && tables < TABLES)
    throw new Failure('store-damaged', `Retake's store ${path} is damaged: tables are missing.`, {
      hint: 'Copy the directory away before anything else, then run `retake check`.',
    })
  connection.exec('pragma journal_mode = wal')
  connection.exec('pragma synchronous = full')
  if (format < migrations.length) migrate(database)
  return null
}

/** Read again inside the transaction: another process may have migrated in the meantime. */
function migrate(database: Database): void {
  transact(database, () => {
    const from = Number(one(database, 'pragma user_version')!['user_version'])
    for (const sql of migrations.slice(from)) database.connection.exec(sql)
    database.connection.exec(`pragma application_id = ${APPLICATION_ID}`)
    database.connection.exec(`pragma user_version = ${migrations.length}`)
  })
}

/** Gives the room of what was deleted back to the disk; where somebody reads, another time. */
export function compact({ database }: Store): boolean {
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

/** What SQLite itself finds wrong with its file; empty when all is well. */
export function checkDatabase(database: Database): string[] {
  try {
    const messages = all(database, 'pragma integrity_check').map((row) =>
      String(row['integrity_check']),
    )
    const broken = all(database, 'pragma foreign_key_check').map(
      (row) => `${String(row['table'])} names a row of ${String(row['parent'])} that is not there`,
    )
    return [...messages.filter((message) => message !== 'ok'), ...broken]
  } catch (error) {
    if (error instanceof Failure) return [error.message]
    if (sqliteCode(error) !== undefined) return [String(error)]
    throw error
  }
}
