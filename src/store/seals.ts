import { all, run, type Database, type Row } from './database.ts'
import { rowsum } from './rowsum.ts'

/**
 * Every record carries a checksum over its columns, to detect flipped bits: SQLite does not notice
 * one in a text or a number.
 *
 * Inserts leave the checksum empty, and a trigger clears it on update. Before each commit, empty
 * checksums are computed, so that writers need not care.
 */
export interface Sealed {
  readonly table: string
  readonly key: readonly string[]
  readonly columns: readonly string[]
}

/** SQL that adds checksums to tables; part of a migration. */
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

/** Statements that compute missing checksums. */
export function sealsOf(tables: readonly Sealed[]): string[] {
  return tables.map(
    ({ table, columns }) =>
      `update ${table} set sum = rowsum(${columns.join(', ')}) where sum is null`,
  )
}

/**
 * Writes a record of blobs together with its checksum. Computing it before the commit writes the
 * record twice, which dominates the time for thousands of records.
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

/** The keys of records whose checksum does not match. */
export function findBroken(database: Database, { table, key, columns }: Sealed): Row[] {
  return all(
    database,
    `select ${key.join(', ')} from ${table} where sum is not rowsum(${columns.join(', ')})`,
  )
}
