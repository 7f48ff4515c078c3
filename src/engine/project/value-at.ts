import { linksTouching, type StoredLink } from '#store'
import { absent, pathTo, type ProjectPath, type Tree, type TurnId, type Value } from '#timeline'
import type { Project } from './project.ts'

/** After a turn, on whichever branch it is; or in the middle of it, after one of its changes. */
export interface MomentInTime {
  /** Null: before the first turn. */
  readonly turn: TurnId | null
  /** The number in the ledger of the turn's last change that counts. */
  readonly seq?: number | undefined
}

/**
 * What stood at a path at a moment of a session: what the last link on the way there left, or what
 * the first one beside that way found. Null: no turn of the session ever changed the path.
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
  // Where the way to the turn never touched the file, it stood as the current line found it.
  const next = links.find((link) => line.has(link.author.id ?? '') && !isBefore(link)) ?? links[0]
  if (next === undefined) return null
  // A rename found the file at its old path, and nothing at its new one.
  const isNew = next.from !== null && next.from !== path
  return { value: isNew ? absent : next.before, last: null }
}

/** A directory that came or went says nothing of a file, and there is no moment to show it at. */
export function isOfFile({ before, after }: Pick<StoredLink, 'before' | 'after'>): boolean {
  return before.kind !== 'absent' || after.kind !== 'absent'
}
