import type { NewLink } from '#store'
import type { DirectoryChange, ProjectPath, TurnId } from '#timeline'

/** A change of a path, with how it was seen or recorded. */
export interface CombinedLink extends NewLink {
  readonly madeDirectories: readonly ProjectPath[]
  /** Already in the ledger: it only helps to explain other changes and is not added again. */
  readonly isKnown?: true
  readonly directory?: DirectoryChange
  /** The time of the scan that saw it, if it was not recorded. */
  readonly seenAt?: number
  /** Other turns that may have made it. */
  readonly sharedWith?: readonly TurnId[]
  /** What is only guessed about each side of a recorded edit, until a scan sees it. */
  readonly guess?: { readonly before: Guess; readonly after: Guess }
  /**
   * For a recorded edit: when the agent called it. `at` is when the edit and its hooks had ended.
   */
  readonly calledAt?: number
  /** The agent reread the file before this edit: it may have changed in between. */
  readonly isReread?: boolean
}

/** Agents record texts without line endings and encoding, and never record modes. */
export type Guess = 'bytes-and-mode' | 'mode'

/** The agent recorded it: an edit, not a command's change, which a scan found. */
export function isRecorded({ evidence }: CombinedLink): boolean {
  return evidence.startsWith('recorded ')
}
