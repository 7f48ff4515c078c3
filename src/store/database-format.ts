import { command, Failure, remedy } from '#failure'
import {
  all,
  one,
  openDatabase,
  readTogether,
  transact,
  useWal,
  type Database,
} from './database.ts'

/** The layout of a database. Its version is the number of its migrations. */
export interface DatabaseFormat {
  /** Written into the file's header, to recognize databases of other programs. */
  readonly application: number
  readonly migrations: readonly string[]
}

/**
 * Checks that the file is Retake's before any pragma writes to it, then migrates it. Returns why
 * nothing can be written; null if writing is possible.
 */
export function prepareDatabase(
  database: Database,
  { application, migrations }: DatabaseFormat,
): Failure | null {
  const { connection, path } = database
  // Read in one transaction: read one by one, a file that another process is creating looks
  // foreign.
  const { found, version, there } = readTogether(database, () => ({
    found: Number(one(database, 'pragma application_id')!['application_id']),
    version: Number(one(database, 'pragma user_version')!['user_version']),
    there: Number(
      one(
        database,
        "select count(*) as n from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
      )!['n'],
    ),
  }))
  // Without tables, it is a file from a process that died before filling it.
  const isNew = found === 0 && version === 0 && there === 0
  if (!isNew && found !== application)
    throw new Failure('store-foreign', `${path} is not a store of this version of Retake.`, {
      hint: 'Move the file away if it is not needed, then try again. It was not changed.',
    })
  if (version > migrations.length) {
    connection.exec('pragma query_only = on')
    return new Failure('store-newer', `A newer version of Retake wrote ${path}.`, {
      hint: 'Update Retake. Until then you can read this project but not change it.',
    })
  }
  if (!isNew && there < tablesOf(migrations.slice(0, version)))
    throw new Failure('store-damaged', `Retake's store ${path} is damaged: tables are missing.`, {
      hint: remedy`Make a copy of the directory first, then ${command('check')}.`,
    })
  useWal(database)
  connection.exec('pragma synchronous = full')
  // On macOS, a plain fsync leaves data in the drive's cache. Node syncs project files with
  // F_FULLFSYNC, so without these pragmas they could be durable before the journal that protects
  // them. Elsewhere the pragmas do nothing.
  connection.exec('pragma fullfsync = on')
  connection.exec('pragma checkpoint_fullfsync = on')
  // Commits are durable in the log. With the default interval, a first snapshot of a large tree
  // would also wait for checkpoints, with two more syncs each.
  connection.exec('pragma wal_autocheckpoint = 4000')
  if (version < migrations.length) migrate(database, { application, migrations })
  return null
}

/** The number of tables a version has; fewer mean that the file lost some. */
function tablesOf(migrations: readonly string[]): number {
  const count = (words: string): number => migrations.join('\n').split(words).length - 1
  return count('create table ') - count('drop table ')
}

/**
 * Reads the version inside the transaction, because another process may have migrated meanwhile.
 */
function migrate(database: Database, { application, migrations }: DatabaseFormat): void {
  transact(database, () => {
    const from = Number(one(database, 'pragma user_version')!['user_version'])
    for (const sql of migrations.slice(from)) database.connection.exec(sql)
    database.connection.exec(`pragma application_id = ${application}`)
    database.connection.exec(`pragma user_version = ${migrations.length}`)
  })
}

/**
 * Tables, indexes and triggers that differ from what the migrations create. SQLite trusts the
 * schema in the file: a trigger with changed text would leave records without checksums, and names
 * that differ only in case still work.
 */
export function checkSchema(database: Database, format: DatabaseFormat): string[] {
  const version = Number(one(database, 'pragma user_version')!['user_version'])
  // The schema of newer versions is unknown.
  if (version > format.migrations.length) return []
  const [wanted, there] = [schemaMade(format, version), schemaOf(database)]
  return [
    ...[...wanted].flatMap(([name, text]) =>
      there.get(name) === text ? [] : [`${name} is not as Retake created it`],
    ),
    ...[...there.keys()].flatMap((name) =>
      wanted.has(name) ? [] : [`${name} was not created by Retake`],
    ),
  ]
}

const schemasMade = new Map<string, Map<string, string>>()

function schemaMade({ application, migrations }: DatabaseFormat, version: number) {
  const key = `${application} ${version}`
  const known = schemasMade.get(key)
  if (known !== undefined) return known
  const made = openDatabase(':memory:')
  try {
    for (const sql of migrations.slice(0, version)) made.connection.exec(sql)
    const schema = schemaOf(made)
    schemasMade.set(key, schema)
    return schema
  } finally {
    made.connection.close()
  }
}

function schemaOf(database: Database): Map<string, string> {
  const rows = all(database, 'select type, name, tbl_name, sql from sqlite_schema')
  return new Map(
    rows.map(({ type, name, tbl_name, sql }) => [
      `the ${String(type)} \`${String(name)}\``,
      `${String(tbl_name)} ${String(sql)}`,
    ]),
  )
}
