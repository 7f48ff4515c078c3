import { claudeCode, type Proofs, type SessionIndex } from '#agents'
import { durableDisk } from '#disk'
import { openCache, type Cache, type CacheFormat } from '#store'
import type { Machine } from './machine.ts'
import { withMoves } from './moved-paths.ts'
import type { Places } from './places.ts'

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
