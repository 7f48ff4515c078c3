import {
  inspectPrivate,
  makePrivateDirectory,
  makePrivateFile,
  nameBytes,
  removeIfExists,
  type Disk,
} from '#disk'
import { one, openDatabase, transact, useWal, type Database } from './database.ts'
import { isDamaged } from './sqlite-failure.ts'
import { Failure } from '#failure'

/** The layout of a cache. If version or schema differ, the cache starts empty. */
export interface CacheFormat {
  readonly version: number
  readonly schema: string
}

/**
 * Everything in a cache can be recomputed, so it is not synced, and is discarded when in doubt.
 * Opening does not verify it, which would cost more than most commands. Damage shows on use, so
 * callers check that they get back what they stored.
 */
export interface Cache extends Disposable {
  readonly database: Database
  /** Returns the result of `use`; null if the cache is unusable. Recreates a damaged cache. */
  attempt<T>(use: (database: Database) => T): T | null
  close(): void
}

const APPLICATION_ID = 0x52_54_4b_43

export function openCache(
  { directory, name, disk }: { directory: string; name: string; disk: Disk },
  format: CacheFormat,
): Cache {
  makePrivateDirectory(disk, directory, [])
  const place = { disk, directory, name }
  let database = tryOpen(place, format) ?? recreate(place, format)
  const close = () => {
    if (database.connection.isOpen) database.connection.close()
  }
  return {
    get database() {
      return database
    },
    attempt(use) {
      try {
        return use(database)
      } catch (error) {
        if (!isDamage(error)) return null
      }
      close()
      try {
        database = recreate(place, format)
      } catch {
        // The cache stays closed, and every later attempt returns null.
      }
      return null
    },
    close,
    [Symbol.dispose]: close,
  }
}

interface Place {
  readonly disk: Disk
  readonly directory: string
  readonly name: string
}

function recreate(place: Place, format: CacheFormat): Database {
  const path = `${place.directory}/${place.name}`
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    removeIfExists(place.disk, nameBytes(`${path}${suffix}`))
  const database = tryOpen(place, format)
  if (database !== null) return database
  throw new Failure('cache-unusable', `The cache ${path} cannot be created.`, {
    hint: 'Check the disk and the directory.',
  })
}

/** The cache, or null if the file is damaged, foreign or of another version. */
function tryOpen({ disk, directory, name }: Place, format: CacheFormat): Database | null {
  const path = `${directory}/${name}`
  inspectPrivate(disk, path, 'file')
  makePrivateFile(disk, directory, name)
  let database: Database
  try {
    database = openDatabase(path)
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  }
  try {
    if (prepare(database, format)) return database
  } catch (error) {
    if (!isDamage(error)) {
      database.connection.close()
      throw error
    }
  }
  database.connection.close()
  return null
}

function prepare(database: Database, format: CacheFormat): boolean {
  const { connection } = database
  connection.exec('pragma synchronous = off')
  // Reads only these two values of an existing file, and takes no lock.
  const { application, version } = labelOf(database)
  if (application === APPLICATION_ID && version === format.version) return true
  // Only a new file accepts a page size. Filling the cache with all sessions of the machine takes a
  // quarter of the writes that small pages would.
  connection.exec('pragma page_size = 16384')
  useWal(database)
  return transact(database, () => {
    // Another process may have created the tables first.
    const { application, version } = labelOf(database)
    const tables = Number(one(database, 'select count(*) as n from sqlite_schema')!['n'])
    if (application === 0 && version === 0 && tables === 0) {
      connection.exec(format.schema)
      connection.exec(`pragma application_id = ${APPLICATION_ID}`)
      connection.exec(`pragma user_version = ${format.version}`)
      return true
    }
    return application === APPLICATION_ID && version === format.version
  })
}

function labelOf(database: Database): { application: number; version: number } {
  const application = Number(one(database, 'pragma application_id')!['application_id'])
  return { application, version: Number(one(database, 'pragma user_version')!['user_version']) }
}

/** A cache that another process uses is busy, not damaged: deleting it would break that process. */
function isDamage(error: unknown): boolean {
  return isDamaged(error) || isDamaged((error as Error).cause)
}
