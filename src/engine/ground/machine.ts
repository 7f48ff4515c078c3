import type { Agent, Proofs, SearchIndex, SessionIndex } from '#agents'
import type { FactsMemory } from '#store'
import type { Places } from './places.ts'

/** The sessions of this machine, with what is already known of them. */
export interface Machine extends Disposable {
  readonly places: Places
  /** Those that Retake knows, whether or not they are in use here. */
  readonly agents: readonly Agent[]
  readonly index: SessionIndex
  /** The words of all sessions; read only for a search. */
  readonly search: SearchIndex
  /** What was found out about versions of an agent that were not measured. */
  proofsOf(agent: Agent): Proofs
  /** Ids of the sessions that were read: what they say is to be kept (see vault). */
  readonly read: Set<string>
  /** What was said of whole sessions, as it was last read from the stores. */
  readonly facts: FactsMemory
  now(): Date
  /** A random UUID. */
  newId(): string
}
