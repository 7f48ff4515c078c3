import { all, one, type Row } from './database.ts'
import type { Operation } from './operations.ts'
import type { Store } from './store.ts'
import { parseRecord } from './parse-record.ts'

/** A committed operation without its files, which most callers do not need. */
export type DoneOperation = Pick<Operation, 'id' | 'verb' | 'details'>

/** Limits the search to a session and to ids between `after` and `before`, both exclusive. */
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
  // Two statements: SQLite would not use the session index for `session = ?1 or ?1 is null`.
  const rows =
    session === undefined
      ? all(database, `${columns} where true ${order}`, after, before, limit)
      : all(database, `${columns} where session = ? ${order}`, session, after, before, limit)
  return rows.map(toDone)
}

/** Includes failed operations: they also contain text of turns. */
export function recordedOperations({ database }: Store): DoneOperation[] {
  return all(database, 'select id, verb, details from operation').map(toDone)
}

/**
 * The newest operation that matches. Reads in growing pages: the match is nearly always among the
 * newest, and a long history must not slow that down.
 */
export function findDone(
  store: Store,
  where: DoneWhere,
  matches: (operation: DoneOperation) => boolean,
): DoneOperation | null {
  let { before = Number.MAX_SAFE_INTEGER } = where
  for (let limit = 1; ; limit *= 4) {
    const page = doneOperations(store, { ...where, before }, limit)
    const found = page.find(matches)
    if (found !== undefined) return found
    if (page.length < limit) return null
    before = page.at(-1)!.id
  }
}

/** The id of the newest committed operation with another verb; 0 if there is none. */
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
