import { claudeCode, type Proofs, type SearchIndex, type SessionIndex } from '#agents'
import { durableDisk } from '#disk'
import { openCache, type Cache, type CacheFormat, type FactsMemory } from '#store'
import { withMoves } from './moved-paths.ts'
import type { Places } from './places.ts'

/** The sessions of this machine, with what is already known of them. */
export interface Machine extends Disposable {
  readonly places: Places
  readonly index: SessionIndex
  /** The words of all sessions; read only when somebody searches. */
  readonly search: SearchIndex
  /** What is known of versions of the agent that nobody measured. */
  readonly proofs: Proofs
  /** Ids of the sessions that were read: what they say is to be kept (see vault). */
  readonly read: Set<string>
  /** What was said of whole sessions, as it was last read from the stores. */
  readonly facts: FactsMemory
  now(): Date
  /** A random UUID. */
  newId(): string
}

export function openMachine(
  places: Places,
  { now, newId }: { now: () => Date; newId: () => string },
): Machine {
  // Opened by who asks: a look at files asks neither.
  let sessions: Cache | null | undefined
  const cache = (): Cache | null => {
    if (sessions === undefined)
      sessions = tryOpenCache(places, 'sessions.db', claudeCode.indexFormat)
    return sessions
  }
  let index: SessionIndex | undefined
  let proofs: Proofs | undefined
  let words: Cache | null | undefined
  return {
    places,
    get index() {
      return (index ??= withMoves(claudeCode.openSessionIndex(cache()), places.data))
    },
    search: claudeCode.openSearchIndex(
      () => (words ??= tryOpenCache(places, 'search.db', claudeCode.searchFormat)),
    ),
    get proofs() {
      return (proofs ??= claudeCode.openProofs(cache()))
    },
    read: new Set(),
    facts: new Map(),
    now,
    newId,
    [Symbol.dispose]() {
      sessions?.close()
      words?.close()
    },
  }
}

/** A cache that cannot be had costs time and nothing else: a read-only home still has sessions. */
function tryOpenCache(
  { cache: directory }: Places,
  name: string,
  format: CacheFormat,
): Cache | null {
  try {
    return openCache({ directory, name, disk: durableDisk }, format)
  } catch {
    return null
  }
}
