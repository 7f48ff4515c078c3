import type { PinnedRoot } from '#disk'
import type { Store } from '#store'

/** A project that operations can change: its root, held open, and its store. */
export interface Project extends Disposable {
  /** The root's path, which may be above the directory that a session started in. */
  readonly path: string
  readonly root: PinnedRoot
  readonly store: Store
  /** The directory is gone: only the conversation, names and lists can change. */
  readonly gone?: true
}
