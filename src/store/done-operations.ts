import { all, one, type Row } from './database.ts'
import type { Operation } from './operations.ts'
import type { Store } from './store.ts'
import { parseRecord } from './parse-record.ts'

/** An operation that was done, without its files: most who look for one need no more of it. */
export type DoneOperation = Pick<Operation, 'id' | 'verb' | 'details'>

/** Whose, and between which two; both of these are left out. */
export interface DoneWhere {
  readonly session?: string
  readonly after?: number
  readonly before?: number
}

/** Newest first. */
export function doneOperations(
  { database }: Store,
  { session, after = 0, before = Number.MAX_SAFE_INTEGER }: DoneWhere = {},
  limit = -1,
): DoneOperation[] {
  const columns = 'select id, verb, details from operation'
  const order = `and id > ? and id < ? and state = 'committed' order by id desc limit ?`
  // Two statements: with `session = ?1 or ?1 is null` the index over sessions would not be used.
  const rows =
    session === undefined
      ? all(database, `${columns} where true ${order}`, after, before, limit)
      : all(database, `${columns} where session = ? ${order}`, session, after, before, limit)
  return rows.map(toDone)
}

/** Those that failed too: they hold the words of turns like the others. */
export function recordedOperations({ database }: Store): DoneOperation[] {
  return all(database, 'select id, verb, details from operation').map(toDone)
}

/**
 * The newest of them that is so. A few are read at a time: who looks for one nearly always finds
 * it among the newest, and must not pay for a long history.
 */
export function findDone(
  store: Store,
  where: DoneWhere,
  isIt: (operation: DoneOperation) => boolean,
): DoneOperation | null {
  let { before = Number.MAX_SAFE_INTEGER } = where
  for (let limit = 1; ; limit *= 4) {
    const page = doneOperations(store, { ...where, before }, limit)
    const found = page.find(isIt)
    if (found !== undefined) return found
    if (page.length < limit) return null
    before = page.at(-1)!.id
  }
}

/** The number of the newest one that has another verb than this; 0 where there is none. */
export function newestDone({ database }: Store, verb: string): number {
  const found = one(
    database,
    `select id from operation where state = 'committed' and verb <> ? order by id desc limit 1`,
    verb,
  )
  return Number(found?.['id'] ?? 0)
}

function toDone(row: Row): DoneOperation {
  return {
    id: Number(row['id']),
    verb: String(row['verb']),
    details: parseRecord(row['details']),
  }
}
