import {
  findAgents,
  openSearchIndex,
  searchFormat,
  type Agent,
  type Proofs,
  type SessionIndex,
} from '#agents'
import { durableDisk, type Disk } from '#disk'
import { openCache, type Cache, type CacheFormat } from '#store'
import type { Machine } from './machine.ts'
import { withMoves } from './moved-paths.ts'
import type { Places } from './places.ts'

export function openMachine(
  places: Places,
  {
    now,
    newId,
    agents = findAgents(places.agents),
    disk = durableDisk,
  }: { now: () => Date; newId: () => string; agents?: readonly Agent[]; disk?: Disk },
): Machine {
  // Opened on first use: a scan of files needs none of them.
  const caches = new Map<string, Cache | null>()
  const cacheOf = (name: string, format: CacheFormat): Cache | null => {
    if (!caches.has(name)) caches.set(name, tryOpenCache(disk, places, name, format))
    return caches.get(name)!
  }
  const sessionsOf = ({ sessions }: Agent): Cache | null =>
    cacheOf(sessions.cacheName, sessions.indexFormat)
  let index: SessionIndex | undefined
  const proofs = new Map<Agent, Proofs>()
  return {
    places,
    disk,
    agents,
    get index() {
      return (index ??= withMoves(disk, openIndexes(agents, sessionsOf), places.data))
    },
    search: openSearchIndex(() => cacheOf('search.db', searchFormat)),
    proofsOf(agent) {
      const known = proofs.get(agent) ?? agent.versions.openProofs(sessionsOf(agent))
      proofs.set(agent, known)
      return known
    },
    read: new Set(),
    unsettled: new Set(),
    facts: new Map(),
    now,
    newId,
    [Symbol.dispose]() {
      for (const cache of caches.values()) cache?.close()
    },
  }
}

/** Each agent has its own index; a list of sessions reads all of them. */
function openIndexes(
  agents: readonly Agent[],
  cacheOf: (agent: Agent) => Cache | null,
): SessionIndex {
  const indexes = new Map<string, SessionIndex>()
  const of = (name: string): SessionIndex => {
    const agent = agents.find((each) => each.name === name)!
    const known = indexes.get(name) ?? agent.sessions.openIndex(cacheOf(agent))
    indexes.set(name, known)
    return known
  }
  return {
    summaries: (files) =>
      [...Map.groupBy(files, ({ agent }) => agent)].flatMap(([agent, own]) =>
        of(agent).summaries(own),
      ),
    open: (file, options) => of(file.agent).open(file, options),
  }
}

/** Without a cache everything is slower but works: a read-only home still has sessions. */
function tryOpenCache(
  disk: Disk,
  { cache: directory }: Places,
  name: string,
  format: CacheFormat,
): Cache | null {
  try {
    return openCache({ directory, name, disk }, format)
  } catch {
    return null
  }
}
