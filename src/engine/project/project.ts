import type { PinnedRoot } from '#disk'
import type { Store } from '#store'

/** A project that operations can change: its root, held open, and what is remembered of it. */
export interface Project extends Disposable {
  /** The root, which may lie above the directory that a session started in. */
  readonly path: string
  readonly root: PinnedRoot
  readonly store: Store
  /** The directory is not there: only the conversation, names and lists can change. */
  readonly gone?: true
}
