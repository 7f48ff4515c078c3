import { markOf } from './marks.ts'
import type { Branch, Tree } from './tree.ts'
import type { TurnId } from './turn.ts'

/**
 * The ids of branches that are only earlier tries at a turn: the user went back, prompted again,
 * and never marked the line they left. A name, a checkpoint on one of its own turns, or being the
 * main branch makes it a real branch. The current line is never a try.
 */
export function findRetries(tree: Tree): ReadonlySet<string> {
  const flagged = new Set(tree.marks.checkpoints.map(({ turn }) => turn))
  const isRetry = (branch: Branch): boolean => {
    if (branch === tree.current) return false
    const { name, canonical, deleted } = markOf(tree.marks, branch.id)
    if (name !== null || canonical || deleted) return false
    return !branch.turns.some((id) => flagged.has(id) && !tree.places.has(id))
  }
  return new Set(tree.branches.filter(isRetry).map(({ id }) => id))
}

/**
 * The turn that distinguishes a branch from others: its first turn off the current line. If the
 * trunk is current, it is the newest turn that has siblings, so the answer does not depend on where
 * the session is.
 */
export function firstApart(tree: Tree, branch: Branch): TurnId {
  const [first] = branch.turns
  if (branch !== tree.current) return branch.turns.find((id) => !tree.places.has(id)) ?? first!
  if (branch !== tree.branches[0]) return first!
  const hasSiblings = (id: TurnId): boolean =>
    (tree.children.get(tree.turns.get(id)!.parent)?.length ?? 0) > 1
  return branch.turns.findLast(hasSiblings) ?? first!
}
