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
import type { PlainLooks } from './plain-looks.ts'
import type { Draft } from './table.ts'

/** One path that differs from the last observation. */
export interface Change {
  readonly before: Value
  readonly after: Value
  /** When the file that stands there now was last changed, in ms; null when none does. */
  readonly changedAt: number | null
}

export interface Differences {
  readonly changed: Map<ProjectPath, Change>
  /** Came into scope and may have been there before: no creation (sem.A7). */
  readonly entered: Map<ProjectPath, Value>
  readonly madeDirectories: Set<ProjectPath>
  /** With their modes. */
  readonly goneDirectories: Map<ProjectPath, number>
}

/** Who wants to hear of changes in the directories that are in scope. */
export interface DirectoryListener {
  /** Before a directory is listed: what comes later is heard, what came before is seen. */
  enter(path: string, inode: bigint): void
  leave(path: string): void
}

/** What one observation compares with, and what it has found. */
export interface Comparison {
  readonly root: PinnedRoot
  readonly draft: Draft
  readonly scopeAt: (directory: string, holds?: (name: string) => boolean) => ScopePair
  readonly intake: Intake
  readonly racyFrom: bigint
  /** Whether the last look noted ignored directories: then one that is not noted is new. */
  readonly sawIgnored: boolean
  readonly listener: DirectoryListener
  /** Null where every directory has to be looked at with care. */
  readonly plain: PlainLooks | null
  readonly found: Differences
  readonly listed: Set<string>
}

/** A directory's stat is in its own row; here it would have to be written twice. */
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
