import { all, run, type Database, type Row } from './database.ts'
import { rowsum } from './rowsum.ts'

/**
 * Every record carries a sum over its columns, so that a flipped bit is found wherever it is:
 * SQLite itself does not notice one in a text or a number.
 *
 * A new record has no sum, and a trigger takes it away when one is changed; before a commit those
 * without one get theirs. Nobody who writes has to think of it.
 */
export interface Sealed {
  readonly table: string
  readonly key: readonly string[]
  readonly columns: readonly string[]
}

/** The SQL that adds sums to tables; part of a migration. */
export function sealingOf(tables: readonly Sealed[]): string {
  return tables
    .map(({ table, key, columns }) => {
      const isRow = key.map((column) => `${column} is new.${column}`).join(' and ')
      const whole = columns.join(', ')
      return `
        alter table ${table} add column sum integer;
        update ${table} set sum = rowsum(${whole});
        create index ${table}_unsealed on ${table} (sum) where sum is null;
        create trigger ${table}_changed after update of ${whole} on ${table}
        begin update ${table} set sum = null where ${isRow}; end;`
    })
    .join('\n')
}

/** The statements that give sums to what was written. */
export function sealsOf(tables: readonly Sealed[]): string[] {
  return tables.map(
    ({ table, columns }) =>
      `update ${table} set sum = rowsum(${columns.join(', ')}) where sum is null`,
  )
}

/**
 * Writes a record of blobs together with its sum. One that gets its sum before the commit, like all
 * others, is written twice; where there are thousands that is most of the time.
 */
export function replaceSealed(
  database: Database,
  { table, columns }: Sealed,
  values: readonly Uint8Array[],
): void {
  const marks = columns.map(() => '?').join(', ')
  const sql = `insert or replace into ${table} (${columns.join(', ')}, sum) values (${marks}, ?)`
  run(database, sql, ...values, rowsum(...values))
}

/** Records that are not what was written, by their key. */
export function findBroken(database: Database, { table, key, columns }: Sealed): Row[] {
  return all(
    database,
    `select ${key.join(', ')} from ${table} where sum is not rowsum(${columns.join(', ')})`,
  )
}
