import { linksTouching, type StoredLink } from '#store'
import { absent, pathTo, type ProjectPath, type Tree, type TurnId, type Value } from '#timeline'
import type { Project } from './project.ts'

/** A time after a turn of any branch, or within it after one of its changes. */
export interface MomentInTime {
  /** Null means before the first turn. */
  readonly turn: TurnId | null
  /** The ledger number of the turn's last change to include. */
  readonly seq?: number | undefined
}

/**
 * A path's value at a time in a session: what the last link up to that turn left or, without one,
 * what the first other link found. Null if no turn of the session ever changed the path.
 */
export function valueAt(
  { store }: Project,
  tree: Tree,
  path: ProjectPath,
  { turn, seq }: MomentInTime,
): { value: Value; last: StoredLink | null } | null {
  const upTo = new Set<string>(pathTo(tree.turns, turn))
  const line = new Set<string>(tree.line)
  const isBefore = (link: StoredLink): boolean =>
    upTo.has(link.author.id ?? '') &&
    (seq === undefined || link.author.id !== turn || link.seq <= seq)
  const links = linksTouching(store, path).filter(
    (link) =>
      link.author.kind === 'turn' &&
      tree.turns.has((link.author.id ?? '') as TurnId) &&
      isOfFile(link),
  )
  const last = links.findLast(isBefore)
  if (last !== undefined) return { value: last.path === path ? last.after : absent, last }
  // If no turn up to there changed the file, it was as the current line found it.
  const next = links.find((link) => line.has(link.author.id ?? '') && !isBefore(link)) ?? links[0]
  if (next === undefined) return null
  // Before a rename, the file was at its old path and its new path was absent.
  const isNew = next.from !== null && next.from !== path
  return { value: isNew ? absent : next.before, last: null }
}

/** Links of directories say nothing about files. */
export function isOfFile({ before, after }: Pick<StoredLink, 'before' | 'after'>): boolean {
  return before.kind !== 'absent' || after.kind !== 'absent'
}
