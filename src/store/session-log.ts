import { all, one, run } from './database.ts'
import { write, type Store } from './store.ts'
import { parseRecord } from './parse-record.ts'

/**
 * Appends a line to a log of a session. Logs are facts whose names end with a number. Operations
 * never touch them.
 */
export function appendToLog(store: Store, session: string, log: string, line: unknown): number {
  return write(store, () => {
    const last = one(
      store.database,
      'select max(name) as name from session_fact where session = ? and substr(name, 1, ?) = ?',
      session,
      log.length + 1,
      `${log}/`,
    )?.['name']
    const number = last == null ? 1 : Number(String(last).slice(log.length + 1)) + 1
    run(
      store.database,
      'insert into session_fact (session, name, fact) values (?, ?, ?)',
      session,
      `${log}/${String(number).padStart(10, '0')}`,
      JSON.stringify(line),
    )
    return number
  })
}

/** Oldest first. */
export function readLog(
  store: Store,
  session: string,
  log: string,
): { number: number; line: unknown }[] {
  return all(
    store.database,
    `select name, fact from session_fact
     where session = ? and substr(name, 1, ?) = ? order by name`,
    session,
    log.length + 1,
    `${log}/`,
  ).map((row) => ({
    number: Number(String(row['name']).slice(log.length + 1)),
    line: parseRecord(row['fact']),
  }))
}

/** Permanently deletes the log. */
export function deleteLog(store: Store, session: string, log: string): void {
  write(store, () =>
    run(
      store.database,
      'delete from session_fact where session = ? and substr(name, 1, ?) = ?',
      session,
      log.length + 1,
      `${log}/`,
    ),
  )
}
