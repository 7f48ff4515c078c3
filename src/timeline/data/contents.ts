import type { ContentId } from './value.ts'

/**
 * The planner's access to bytes by id. It is synchronous, so that a plan is computed over one
 * state: with an `await` in between, a file could change between two steps. Callers load all bytes
 * first, or read from a synchronous database.
 */
export interface Contents {
  /** Throws a Failure if the bytes are missing. */
  bytes(id: ContentId): Uint8Array
  /** If a cell's bytes are missing, that side of it is unknown (sem.K3). */
  has(id: ContentId): boolean
  add(bytes: Uint8Array): ContentId
}
