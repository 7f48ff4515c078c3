import type { Agent, Proofs, SearchIndex, SessionIndex } from '#agents'
import type { Disk } from '#disk'
import type { FactsMemory } from '#store'
import type { Places } from './places.ts'

/** The sessions of this machine, with their indexes and caches. */
export interface Machine extends Disposable {
  readonly places: Places
  readonly disk: Disk
  /** The agents that Retake knows, whether or not they are used here. */
  readonly agents: readonly Agent[]
  readonly index: SessionIndex
  /** The full text of all sessions; read only for a search. */
  readonly search: SearchIndex
  /** Test results for agent versions that were not measured. */
  proofsOf(agent: Agent): Proofs
  /** Ids of the sessions that were read: their transcripts are copied to the vault. */
  readonly read: Set<string>
  /** Ids of sessions to read again soon: it was too early, or the store was in use. */
  readonly unsettled: Set<string>
  /** Cache of the facts about whole sessions, as last read from the stores. */
  readonly facts: FactsMemory
  now(): Date
  /** A random UUID. */
  newId(): string
}
