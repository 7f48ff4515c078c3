import type { TurnId } from './turn.ts'

/**
 * What users set on a session's branches and turns: names, archived, deleted. It is stored with the
 * project and only operations change it, so every change can be undone.
 */
export interface Marks {
  /** By the branch's id. */
  readonly branches: ReadonlyMap<string, BranchMark>
  /** Oldest first. */
  readonly checkpoints: readonly Checkpoint[]
}

export interface BranchMark {
  readonly name: string | null
  /** Null: the user did not choose; the branch may be folded away because of its age. */
  readonly archived: boolean | null
  /** Its own turns are hidden. The transcript still has them (sem.K1). */
  readonly deleted: boolean
  /** It is the session's main branch instead of the trunk. */
  readonly canonical: boolean
}

/** A name that a user gave to a turn. */
export interface Checkpoint {
  readonly name: string
  readonly turn: TurnId
  readonly at: string
}

/** One value that an operation set on a session. Null if there is none. */
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
