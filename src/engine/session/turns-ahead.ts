import { pathTo, type TurnId } from '#timeline'
import { findBranch } from './branches.ts'
import type { ReadSession } from './read-session.ts'
import type { ResolvedCommand } from './request.ts'

/** The turns that a plan most likely mentions, to read ahead; others are read when needed. */
export function turnsAhead({ tree }: ReadSession, asked: ResolvedCommand): readonly TurnId[] {
  const { line } = tree
  const placeOf = (turn: TurnId | null): number =>
    turn === null ? -1 : (tree.places.get(turn) ?? -1)
  const here = placeOf(tree.head)
  if (asked.verb === 'undo') return line.slice(Math.max(0, here + 1 - asked.count), here + 1)
  if (asked.verb === 'redo')
    return line.slice(here + 1, asked.count === 'all' ? undefined : here + 1 + asked.count)
  if (asked.verb === 'rewind') {
    const there = placeOf(asked.before ?? asked.to)
    return line.slice(Math.max(0, Math.min(here, there)), Math.max(here, there) + 1)
  }
  if (asked.verb !== 'switch') return []
  const path = pathTo(tree.turns, asked.turn ?? findBranch(tree, asked.branch).tip)
  const [ours, theirs] = [new Set(line), new Set(path)]
  return [...line.filter((id) => !theirs.has(id)), ...path.filter((id) => !ours.has(id))]
}
