import { all, one, run } from './database.ts'
import { write, type Store } from './store.ts'
import { parseRecord } from './parse-record.ts'

/**
 * Small facts about a session that the agent's files do not hold, such as a pending move. A fact is
 * JSON; readers validate it.
 */
export function putSessionFact(store: Store, session: string, name: string, fact: unknown): void {
  write(store, () =>
    run(
      store.database,
      'insert or replace into session_fact (session, name, fact) values (?, ?, ?)',
      session,
      name,
      JSON.stringify(fact),
    ),
  )
}

export function dropSessionFact(store: Store, session: string, name: string): void {
  write(store, () =>
    run(store.database, 'delete from session_fact where session = ? and name = ?', session, name),
  )
}

/** The fact, or undefined if there is none. */
export function getSessionFact(store: Store, session: string, name: string): unknown {
  const row = one(
    store.database,
    'select fact from session_fact where session = ? and name = ?',
    session,
    name,
  )
  return row === undefined ? undefined : parseRecord(row['fact'])
}

/**
 * The same for a fact that grows with the session. Parses it again only if its text changed: a plan
 * over 12,000 turns reads one three times, and each parsing takes 20 ms. Callers must not change it.
 */
export function getLargeFact(store: Store, session: string, name: string): unknown {
  const row = one(
    store.database,
    'select fact from session_fact where session = ? and name = ?',
    session,
    name,
  )
  if (row === undefined) return undefined
  const text = String(row['fact'])
  if (text === lastLarge?.text) return lastLarge.fact
  const fact = parseRecord(text)
  // Small ones would displace the large one, and are quick to parse.
  if (text.length >= LARGE) lastLarge = { text, fact }
  return fact
}

const LARGE = 64 * 1024
let lastLarge: { readonly text: string; readonly fact: unknown } | null = null

/** All facts of a session with this name prefix, sorted by name. */
export function sessionFacts(
  store: Store,
  session: string,
  prefix: string,
): { name: string; fact: unknown }[] {
  return all(
    store.database,
    'select name, fact from session_fact where session = ? and substr(name, 1, ?) = ? order by name',
    session,
    prefix.length,
    prefix,
  ).map((row) => ({ name: String(row['name']), fact: parseRecord(row['fact']) }))
}

/** Every session that has the fact. */
export function sessionsWithFact(store: Store, name: string): { session: string; fact: unknown }[] {
  return all(
    store.database,
    'select session, fact from session_fact where name = ? order by session',
    name,
  ).map((row) => ({ session: String(row['session']), fact: parseRecord(row['fact']) }))
}
