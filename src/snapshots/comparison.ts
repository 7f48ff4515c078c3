import {
  errnoOf,
  listForScan,
  lstatForScan,
  type PinnedRoot,
  type RowEntry,
  type ScanStat,
} from '#disk'
import type { ProjectPath, Value } from '#timeline'
import type { ScopePair } from './directory-scopes.ts'
import { isSameLook } from './entry-value.ts'
import type { Intake } from './intake.ts'
import type { PlainScans } from './plain-scans.ts'
import type { Draft } from './table.ts'

/** One path that differs from the last observation. */
export interface Change {
  readonly before: Value
  readonly after: Value
  /** When the file now at this path last changed, in ms; null if there is none. */
  readonly changedAt: number | null
}

export interface Differences {
  readonly changed: Map<ProjectPath, Change>
  /** Came into scope, and may have existed before: not a creation (sem.A7). */
  readonly entered: Map<ProjectPath, Value>
  readonly madeDirectories: Set<ProjectPath>
  /** With the mode of each. */
  readonly goneDirectories: Map<ProjectPath, number>
}

/** Receives the directories that enter and leave the scope, to watch them. */
export interface DirectoryListener {
  /**
   * Called before a directory is listed, so that every change is either listed or reported as an
   * event.
   */
  enter(path: string, inode: bigint): void
  leave(path: string): void
}

/** The state of one comparison: its inputs, and the differences found so far. */
export interface Comparison {
  readonly root: PinnedRoot
  readonly draft: Draft
  readonly scopeAt: (directory: string, holds?: (name: string) => boolean) => ScopePair
  readonly intake: Intake
  readonly racyFrom: bigint
  /** Whether the last scan recorded ignored directories. If so, an unrecorded one is new. */
  readonly sawIgnored: boolean
  readonly listener: DirectoryListener
  /** Null if the fast path for directories that git vouches for is off. */
  readonly plain: PlainScans | null
  readonly found: Differences
  readonly listed: Set<string>
}

/** The stat of a directory is in its own row; storing it here too would write it twice. */
export const NOTHING = {
  size: 0n,
  modified: 0n,
  changed: 0n,
  inode: 0n,
  id: '',
  text: '',
  isDoubtful: false,
} as const satisfies Partial<RowEntry>

export function note(
  c: Comparison,
  path: string,
  before: Value,
  after: Value,
  changed: bigint | null,
): void {
  const first = c.found.changed.get(path as ProjectPath)?.before ?? before
  if (isSameLook(first, after)) c.found.changed.delete(path as ProjectPath)
  else {
    const changedAt = changed === null ? null : millis(changed)
    c.found.changed.set(path as ProjectPath, { before: first, after, changedAt })
  }
}

export function millis(time: bigint): number {
  return Number(time / 1000n) / 1000
}

export function join(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

export function wholePath(c: Comparison, path: string): string {
  return path === '' ? c.root.path : `${c.root.path}/${path}`
}

export function tryLstat(path: string): ScanStat | null | 'unreadable' {
  try {
    return lstatForScan(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return null
    if (errnoOf(error) === undefined) throw error
    return 'unreadable'
  }
}

export function tryList(path: string): ReturnType<typeof listForScan> | 'gone' | 'unreadable' {
  try {
    return listForScan(path)
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === undefined) throw error
    return errno === 'ENOENT' || errno === 'ENOTDIR' ? 'gone' : 'unreadable'
  }
}
