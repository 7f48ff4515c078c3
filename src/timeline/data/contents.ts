import type { ContentId } from './value.ts'

/**
 * Where a planner gets bytes by their id, and leaves the bytes it made. It is synchronous so that
 * a plan is one computation over one world: with a wait in the middle, a file could change between
 * two steps of the same fold. Whoever plans loads what is needed first, or reads from a database
 * that answers at once.
 */
export interface Contents {
  /** Throws a Failure when the bytes are not there; they are never guessed. */
  bytes(id: ContentId): Uint8Array
  /** A cell that names bytes which are gone has an unknown side (sem.K3). */
  has(id: ContentId): boolean
  add(bytes: Uint8Array): ContentId
}
