import { fileURLToPath } from 'node:url'
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { rowsum } from './rowsum.ts'
import { isBusy, storeFailure } from './sqlite-failure.ts'

/**
 * A connection with its prepared statements. Open one per process and file: POSIX locks belong to
 * the process, and closing any plain descriptor of the file drops them.
 */
export interface Database {
  readonly path: string
  readonly connection: DatabaseSync
  readonly statements: Map<string, StatementSync>
  /** Statements to run before every commit (see seals). */
  readonly seals: readonly string[]
}

export function openDatabase(
  place: string | URL,
  options: {
    readOnly?: boolean
    timeout?: number
    pragmas?: readonly string[]
    seals?: readonly string[]
  } = {},
): Database {
  const path = typeof place === 'string' ? place : fileURLToPath(place)
  let connection: DatabaseSync | undefined
  try {
    connection = new DatabaseSync(place, {
      readOnly: options.readOnly ?? false,
      timeout: options.timeout ?? 5000,
      enableForeignKeyConstraints: true,
      enableDoubleQuotedStringLiterals: false,
    })
    // The schema in a file is untrusted: opening a hostile file must not run functions.
    connection.exec('pragma trusted_schema = off')
    for (const pragma of options.pragmas ?? []) connection.exec(`pragma ${pragma}`)
    connection.function('rowsum', { varargs: true, useBigIntArguments: true }, rowsum)
    return { path, connection, statements: new Map(), seals: options.seals ?? [] }
  } catch (error) {
    connection?.close()
    throw storeFailure(error, path)
  }
}

/**
 * In WAL mode, readers and writers do not wait for each other. SQLite's busy timeout does not cover
 * this pragma: without the retry, one of two processes that open a new file would fail.
 */
export function useWal({ connection }: Database): void {
  for (let tries = 1; ; tries += 1)
    try {
      return connection.exec('pragma journal_mode = wal')
    } catch (error) {
      if (!isBusy(error) || tries === 1000) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
}

export type Row = Record<string, SQLOutputValue>
type Parameter = string | number | bigint | null | Uint8Array

const EMPTY = new Uint8Array()

/** Node 22 binds an empty blob as null if it has no address. `EMPTY` has one. */
function bindable(parameters: Parameter[]): Parameter[] {
  return parameters.map((each) => (each instanceof Uint8Array && each.length === 0 ? EMPTY : each))
}

/** Runs a statement and returns the id of the inserted row. */
export function run(database: Database, sql: string, ...parameters: Parameter[]): number {
  return withStatement(database, sql, (statement) =>
    Number(statement.run(...bindable(parameters)).lastInsertRowid),
  )
}

/** The first row, or undefined. Rows are untyped; callers know the schema. */
export function one(database: Database, sql: string, ...parameters: Parameter[]): Row | undefined {
  return withStatement(database, sql, (statement) => statement.get(...bindable(parameters)))
}

export function all(database: Database, sql: string, ...parameters: Parameter[]): Row[] {
  return withStatement(database, sql, (statement) => statement.all(...bindable(parameters)))
}

/** Runs a function in one transaction. Inside another transaction, it joins that one. */
export function transact<T>(database: Database, change: () => T): T {
  const { connection } = database
  // SQLite does not nest transactions, and the inner part must not commit before the outer one.
  if (connection.isTransaction) return change()
  return inTransaction(database, 'begin immediate', () => {
    const result = change()
    for (const seal of database.seals) run(database, seal)
    return result
  })
}

/** Runs several reads on one state: commits of other processes in between are not visible. */
export function readTogether<T>(database: Database, read: () => T): T {
  return database.connection.isTransaction ? read() : inTransaction(database, 'begin', read)
}

function inTransaction<T>({ connection, path }: Database, begin: string, work: () => T): T {
  try {
    connection.exec(begin)
    const result = work()
    connection.exec('commit')
    return result
  } catch (error) {
    // SQLite rolls back by itself on a full disk; a second rollback would hide that error.
    if (connection.isOpen && connection.isTransaction) connection.exec('rollback')
    throw storeFailure(error, path)
  }
}

function withStatement<T>(
  database: Database,
  sql: string,
  use: (statement: StatementSync) => T,
): T {
  try {
    let statement = database.statements.get(sql)
    if (statement === undefined) {
      statement = database.connection.prepare(sql)
      database.statements.set(sql, statement)
    }
    return use(statement)
  } catch (error) {
    throw storeFailure(error, database.path)
  }
}
