import {
  lookAtPrivate,
  makePrivateDirectory,
  makePrivateFile,
  nameBytes,
  removeIfThere,
  type Disk,
} from '#disk'
import { one, openDatabase, transact, type Database } from './database.ts'
import { isDamaged } from './sqlite-failure.ts'
import { Failure } from '#failure'

/** What may stand in a cache. Another version or schema makes it start empty. */
export interface CacheFormat {
  readonly version: number
  readonly schema: string
}

/** Everything in it can be made again, so it is not synced and thrown away when in doubt. */
export interface Cache extends Disposable {
  readonly database: Database
  close(): void
}

const APPLICATION_ID = 0x52_54_4b_43

export function openCache(
  { directory, name, disk }: { directory: string; name: string; disk: Disk },
  format: CacheFormat,
): Cache {
  const path = `${makePrivateDirectory(disk, directory, [])}/${name}`
  let database = tryOpen(disk, directory, name, format)
  if (database === null) {
    for (const suffix of ['', '-wal', '-shm', '-journal'])
      removeIfThere(disk, nameBytes(`${path}${suffix}`))
    database = tryOpen(disk, directory, name, format)
  }
  if (database === null)
    throw new Failure('cache-unusable', `The cache ${path} cannot be made.`, {
      hint: 'Check the disk and the directory.',
    })
  const { connection } = database
  const close = () => {
    if (connection.isOpen) connection.close()
  }
  return { database, close, [Symbol.dispose]: close }
}

/** The cache, or null when what stands there is damaged, foreign or of another version. */
function tryOpen(
  disk: Disk,
  directory: string,
  name: string,
  format: CacheFormat,
): Database | null {
  const path = `${directory}/${name}`
  lookAtPrivate(disk, path, 'file')
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
  connection.exec('pragma journal_mode = wal')
  connection.exec('pragma synchronous = normal')
  return transact(database, () => {
    const application = Number(one(database, 'pragma application_id')!['application_id'])
    const version = Number(one(database, 'pragma user_version')!['user_version'])
    const tables = Number(one(database, 'select count(*) as n from sqlite_schema')!['n'])
    if (application === 0 && version === 0 && tables === 0) {
      connection.exec(format.schema)
      connection.exec(`pragma application_id = ${APPLICATION_ID}`)
      connection.exec(`pragma user_version = ${format.version}`)
      return true
    }
    if (application !== APPLICATION_ID || version !== format.version) return false
    return one(database, 'pragma quick_check(1)')!['quick_check'] === 'ok'
  })
}

/** A cache that another process is using is not damaged: deleting it would break that process. */
function isDamage(error: unknown): boolean {
  return isDamaged(error) || isDamaged((error as Error).cause)
}
