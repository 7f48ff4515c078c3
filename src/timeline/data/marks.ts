import type { TurnId } from './turn.ts'

/**
 * What people said of a session's branches and turns: names, and what to fold away. It is kept
 * with the project and changes by operations alone, so every change of it can be undone.
 */
export interface Marks {
  /** By the branch's id. */
  readonly branches: ReadonlyMap<string, BranchMark>
  /** Oldest first. */
  readonly checkpoints: readonly Checkpoint[]
}

export interface BranchMark {
  readonly name: string | null
  /** Null: nobody said so; it may be folded away for its age. */
  readonly archived: boolean | null
  /** Its own turns are not shown any more; the transcript still has them (sem.K1). */
  readonly deleted: boolean
  /** The session's main line, instead of its trunk. */
  readonly canonical: boolean
}

/** A name that a user gave to a turn. */
export interface Checkpoint {
  readonly name: string
  readonly turn: TurnId
  readonly at: string
}

/** One thing said of a session, as an operation changed it; null where nothing is said. */
export interface FactChange {
  readonly session: string
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

export const noMarks: Marks = { branches: new Map(), checkpoints: [] }

export const plainBranch: BranchMark = {
  name: null,
  archived: null,
  deleted: false,
  canonical: false,
}

export function markOf({ branches }: Marks, branch: string): BranchMark {
  return branches.get(branch) ?? plainBranch
}
