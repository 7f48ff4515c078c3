import { Failure } from '#failure'
import { inspectPrivate, type Disk, type Stat } from '#disk'
import { all, one, openDatabase, type Database } from './database.ts'
import { APPLICATION_ID } from './schema.ts'
import { parseRecord } from './parse-record.ts'

/** A fact of any session in a store. */
export interface StoredFact {
  readonly session: string
  readonly name: string
  readonly fact: unknown
}

/** Facts by store directory, valid while the store's files are unchanged. */
export type FactsMemory = Map<string, { readonly stamp: string; readonly facts: StoredFact[] }>

/** In ms. A file written more recently can change again with the same timestamp. */
const MIN_AGE = 100

/**
 * All facts of a store with this name prefix, for lists of sessions across projects. Opens the
 * store read-only, and only if its files changed since the last call. An unreadable store has no
 * facts.
 */
export function glanceFacts(
  { disk, memory, now }: { disk: Disk; memory: FactsMemory; now: number },
  directory: string,
  prefix: string,
): readonly StoredFact[] {
  const path = `${directory}/store.db`
  try {
    const stats = ['', '-wal'].map((suffix) => inspectPrivate(disk, `${path}${suffix}`, 'file'))
    if (stats[0] === null) return []
    const stamp = stats.map(stampOf).join(' ')
    const known = memory.get(directory)
    if (known?.stamp === stamp) return known.facts
    const facts = readFacts(path, prefix)
    const newest = Math.max(...stats.map((stat) => Number((stat?.changed ?? 0n) / 1_000_000n)))
    if (now - newest > MIN_AGE) memory.set(directory, { stamp, facts })
    return facts
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}

function stampOf(stat: Stat | null): string {
  return stat === null ? '-' : `${stat.inode}:${stat.size}:${stat.modified}:${stat.changed}`
}

function readFacts(path: string, prefix: string): StoredFact[] {
  const database = openDatabase(path, { readOnly: true, timeout: 1000 })
  try {
    if (Number(one(database, 'pragma application_id')!['application_id']) !== APPLICATION_ID)
      return []
    return factsNamed(database, prefix)
  } finally {
    database.connection.close()
  }
}

/** All facts with this name prefix, of any session. */
export function factsNamed(database: Database, prefix: string): StoredFact[] {
  return all(
    database,
    'select session, name, fact from session_fact where substr(name, 1, ?) = ?',
    prefix.length,
    prefix,
  ).map((row) => ({
    session: String(row['session']),
    name: String(row['name']),
    fact: parseRecord(row['fact']),
  }))
}
