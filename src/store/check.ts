import { shortId, type ContentId, type ProjectPath } from '#timeline'
import { checkContents, findContent, type ContentProblem } from './content.ts'
import { one, type Row } from './database.ts'
import { referencedBy, type Reference } from './references.ts'
import { sealed } from './schema-seals.ts'
import { findBroken } from './seals.ts'
import { checkDatabase, STORE_FORMAT, type Store } from './store.ts'
import { readPathBytes } from './value-text.ts'

/** A damaged or missing content, and what needs it. */
export interface ContentDamage extends ContentProblem {
  readonly paths: readonly ProjectPath[]
  /** Turns whose undo or redo needs it. */
  readonly turns: readonly string[]
  readonly operations: readonly number[]
}

/** A record whose checksum does not match. */
export interface RecordDamage {
  readonly table: string
  /** What the record described, as far as it is readable. */
  readonly about: string
}

/** The result of a check; the store is intact if all three lists are empty. */
export interface CheckReport {
  readonly database: readonly string[]
  readonly records: readonly RecordDamage[]
  readonly contents: readonly ContentDamage[]
  readonly checked: number
}

/** Reads the whole store; with `readData`, also every byte of every content. Changes nothing. */
export function checkStore(store: Store, { readData }: { readData: boolean }): CheckReport {
  const database = checkDatabase(store.database, STORE_FORMAT)
  try {
    const records = readData ? checkRecords(store) : []
    const named = referencesOf(store)
    const problems = [...checkContents(store, { readData }), ...findMissing(store, named)]
    return {
      database,
      records,
      contents: problems.map((problem) => ({ ...problem, ...neededBy(named.get(problem.id)) })),
      checked: Number(one(store.database, 'select count(*) as n from content')!['n']),
    }
  } catch (error) {
    // The tables are too damaged to read: report only what SQLite found.
    if (database.length > 0) return { database, records: [], contents: [], checked: 0 }
    throw error
  }
}

function checkRecords({ database }: Store): RecordDamage[] {
  const broken = sealed.flatMap((each) =>
    findBroken(database, each).map((key) => ({
      table: each.table,
      about: about(each.table, key),
    })),
  )
  // SQLite's own table carries no checksums. Operations are never deleted, so the numbers must
  // match.
  const isNumbered =
    one(
      database,
      `select (select group_concat(name || ' ' || seq) from sqlite_sequence)
         is (select 'operation ' || max(id) from operation) as ok`,
    )!['ok'] === 1
  if (isNumbered) return broken
  return [...broken, { table: 'sqlite_sequence', about: 'the number of the next operation' }]
}

const ABOUT: Record<string, (key: Row) => string> = {
  link: ({ seq }) => `change ${String(seq)} of the ledger`,
  ledger: () => 'how far the ledger goes',
  cell: ({ id }) => `what turn ${shortId(String(id))} did to a file`,
  operation: ({ id }) => `operation ${String(id)}`,
  operation_path: ({ operation, n }) => `file ${Number(n) + 1} of operation ${String(operation)}`,
  move: ({ path }) => `the latest move of ${pathText(path)}`,
  session_fact: ({ session, name }) => `\`${String(name)}\` of session ${shortId(String(session))}`,
  directory: ({ path }) => `the last scan of ${pathText(path) || 'the project'}`,
  left_out: ({ path }) => `why ${pathText(path)} was not recorded`,
  observation: () => 'the last scan of the files',
  observed: () => 'the times of the scans',
  sighting: () => 'a change without a known author',
  shell_step: () => 'when a command ran',
  git_move: () => 'what git did between two scans',
}

function about(table: string, key: Row): string {
  return ABOUT[table]?.(key) ?? `a record of \`${table}\``
}

function pathText(bytes: unknown): string {
  return bytes instanceof Uint8Array ? readPathBytes(bytes) : String(bytes)
}

/**
 * Contents that an undo or redo needs but the store does not have. Contents named only by the log,
 * by old operations or by the last scan may be missing: `gc` deletes the former, and git holds the
 * latter.
 */
function findMissing(
  store: Store,
  named: ReadonlyMap<string, readonly Reference[]>,
): ContentProblem[] {
  return [...named].flatMap(([id, namings]) => {
    const isNeeded = namings.some(({ by }) => by.kind === 'cell' || by.kind === 'move')
    if (!isNeeded || findContent(store, id as ContentId) !== null) return []
    return [{ id, problem: 'missing' as const }]
  })
}

/** Empty if a damaged record makes the references unreadable. */
function referencesOf(store: Store): Map<string, Reference[]> {
  try {
    return referencedBy(store)
  } catch {
    return new Map()
  }
}

function neededBy(
  namings: readonly Reference[] = [],
): Pick<ContentDamage, 'paths' | 'turns' | 'operations'> {
  const turns = namings.flatMap(({ by }): string[] => {
    if (by.kind === 'cell') return [by.turn]
    return by.kind === 'link' && by.author.kind === 'turn' ? [by.author.id ?? ''] : []
  })
  return {
    paths: [...new Set(namings.flatMap(({ path }) => path ?? []))].sort(),
    turns: [...new Set(turns)].sort(),
    operations: [
      ...new Set(namings.flatMap(({ by }) => (by.kind === 'operation' ? [by.id] : []))),
    ].sort((a, b) => a - b),
  }
}
