import type { Cache } from '#store'

/** Which versions of the agent obey Retake's steps. */
export interface VersionRules {
  isMeasured(version: string | null): boolean
  openProofs(cache: Cache | null): Proofs
}

/** What is known about a version that was not measured. */
export type Proof = 'obeys' | 'does-not' | 'another-version' | 'no-program' | 'no-trial'

export interface ProofPlaces {
  /** The directories to search for programs. */
  readonly programs: readonly string[]
  /** Directories whose programs are never run: the project's. */
  readonly outside: readonly string[]
  readonly scratch: string
  now(): Date
  newId(): string
}

/**
 * Tests once, with the user's own program, whether an unmeasured version obeys what Retake writes.
 */
export interface Proofs {
  /** The result of the last trial; null before the first one. */
  of(version: string): Proof | null
  prove(version: string, places: ProofPlaces): Promise<Proof>
}
