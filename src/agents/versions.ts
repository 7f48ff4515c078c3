import type { Cache } from '#store'

/** Which versions of the agent obey the steps that Retake takes. */
export interface VersionRules {
  isMeasured(version: string | null): boolean
  openProofs(cache: Cache | null): Proofs
}

/** What is known of a version that was not measured. */
export type Proof = 'obeys' | 'does-not' | 'another-version' | 'no-program' | 'no-trial'

export interface ProofPlaces {
  /** The directories in which programs are looked for. */
  readonly programs: readonly string[]
  /** Whose programs are never run: the project's. */
  readonly outside: readonly string[]
  readonly scratch: string
  now(): Date
  newId(): string
}

/**
 * Whether versions that were not measured obey what Retake writes, by trying the user's own
 * program once.
 */
export interface Proofs {
  /** What the last trial said; null before the first one. */
  of(version: string): Proof | null
  prove(version: string, places: ProofPlaces): Promise<Proof>
}
