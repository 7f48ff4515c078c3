import { Failure } from '#failure'
import { one, transact, type Database } from './database.ts'

/** What stands in a database of ours. Its version is the number of its migrations. */
export interface DatabaseFormat {
  /** Written into the file's header, so that no other program's database is taken for ours. */
  readonly application: number
  readonly migrations: readonly string[]
}

/**
 * Checks whose file this is before the first pragma that would write to it, and brings it up to
 * date. Says why nothing can be written; null when everything can.
 */
export function prepareDatabase(
  database: Database,
  { application, migrations }: DatabaseFormat,
): Failure | null {
  const { connection, path } = database
  const found = Number(one(database, 'pragma application_id')!['application_id'])
  const version = Number(one(database, 'pragma user_version')!['user_version'])
  const there = Number(
    one(
      database,
      "select count(*) as n from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
    )!['n'],
  )
  // Without tables it is a file that we made and died before filling.
  const isNew = found === 0 && version === 0 && there === 0
  if (!isNew && found !== application)
    throw new Failure('store-foreign', `${path} is not a store of Retake.`, {
      hint: 'Move the file away if it is not needed, then try again. It was not changed.',
    })
  if (version > migrations.length) {
    connection.exec('pragma query_only = on')
    return new Failure('store-newer', `A newer version of Retake wrote ${path}.`, {
      hint: 'Update Retake. Until then this project can be looked at, not changed.',
    })
  }
  if (!isNew && there < tablesOf(migrations.slice(0, version)))
    throw new Failure('store-damaged', `Retake's store ${path} is damaged: tables are missing.`, {
      hint: 'Copy the directory away before anything else, then run `retake check`.',
    })
  connection.exec('pragma journal_mode = wal')
  connection.exec('pragma synchronous = full')
  if (version < migrations.length) migrate(database, { application, migrations })
  return null
}

/** As many as a version has; fewer mean that the file lost some. */
function tablesOf(migrations: readonly string[]): number {
  const count = (words: string): number => migrations.join('\n').split(words).length - 1
  return count('create table ') - count('drop table ')
}

/** Read again inside the transaction: another process may have migrated in the meantime. */
function migrate(database: Database, { application, migrations }: DatabaseFormat): void {
  transact(database, () => {
    const from = Number(one(database, 'pragma user_version')!['user_version'])
    for (const sql of migrations.slice(from)) database.connection.exec(sql)
    database.connection.exec(`pragma application_id = ${application}`)
    database.connection.exec(`pragma user_version = ${migrations.length}`)
  })
}
