import type { NewLink } from '#store'
import type { DirectoryChange, ProjectPath, TurnId } from '#timeline'

/** A change of a path, with what is known of how it was seen or recorded. */
export interface WovenLink extends NewLink {
  readonly madeDirectories: readonly ProjectPath[]
  /** In the ledger already: it explains, and is not added again. */
  readonly isKnown?: true
  readonly directory?: DirectoryChange
  /** The look that saw it, if it was not recorded. */
  readonly seenAt?: number
  /** Other turns that may have made it. */
  readonly sharedWith?: readonly TurnId[]
  /** What each side of a recorded edit is only guessed to have been, until a look tells. */
  readonly guess?: { readonly before: Guess; readonly after: Guess }
  /** Of a recorded edit: when the agent called for it. `at` is when it and its hooks had ended. */
  readonly calledAt?: number
  /** The agent read the file again before this edit: it may have changed in between. */
  readonly isReread?: boolean
}

/** Agents record texts without line ends and encoding, and never the mode. */
export type Guess = 'bytes-and-mode' | 'mode'
