import { currentSide } from '../cell/index.ts'
import type { Ledger } from './plan-world.ts'
import { pathTo, type Tree, type TurnId } from '../data/index.ts'

/**
 * The position of the files on the line, which may differ from the conversation's (sem.C1). Rewind,
 * and verbs that move only files, start from here. From the conversation's head, a redo of files
 * would find nothing ahead, and a rewind to the head nothing to do.
 */
export function filesPlace(
  { line, head, cells, beforeFirst }: Pick<Ledger, 'line' | 'head' | 'cells' | 'beforeFirst'>,
  how: { includeUnsure?: boolean } = {},
): Pick<Ledger, 'head' | 'beforeFirst' | 'leftOut'> {
  const byTurn = Map.groupBy(cells, ({ turn }) => turn)
  const sides = line.map(({ id }) => currentSide(byTurn.get(id) ?? [], how))
  const here = line.findIndex(({ id }) => id === head)
  // Turns without files and reverted turns have no position of their own. They follow the turn
  // before them.
  let low = here
  for (let at = here; at >= 0 && sides[at] !== 'in'; at--) if (sides[at] === 'out') low = at - 1
  const ahead = sides.lastIndexOf('in')
  const high = ahead > here ? ahead : low
  const newest = Math.max(...line.slice(0, high + 1).map(({ seq }) => seq))
  /** Excludes turns that were already out when the conversation continued. Those stay out. */
  const wentOut = (id: TurnId): boolean =>
    (byTurn.get(id) ?? []).some((cell) => !cell.in && !cell.reverted && cell.since > newest)
  const leftOut = new Map(
    line.flatMap(({ id }, at) =>
      at <= high && sides[at] === 'out' && (at > low || wentOut(id))
        ? [[id, at > low ? 'any' : 'forward'] as const]
        : [],
    ),
  )
  return { ...placeAt(), ...(leftOut.size === 0 ? {} : { leftOut }) }

  function placeAt(): Pick<Ledger, 'head' | 'beforeFirst'> {
    if (high === here) return { head, beforeFirst }
    return { head: line[Math.max(high, 0)]!.id, beforeFirst: high < 0 }
  }
}

/**
 * The turns whose files are in, if the files are on another branch than the conversation. That
 * happens after switching only the conversation. Null: they are on the same branch.
 */
export function filesPath(tree: Tree, { cells }: Pick<Ledger, 'cells'>): TurnId[] | null {
  const byTurn = Map.groupBy(cells, ({ turn }) => turn)
  const sideOf = (id: TurnId) => currentSide(byTurn.get(id) ?? [])
  if (!pathTo(tree.turns, tree.head).some((id) => sideOf(id) === 'out')) return null
  const standing = [...tree.turns.keys()].findLast(
    (id) => sideOf(id) === 'in' && pathTo(tree.turns, id).every((above) => sideOf(above) !== 'out'),
  )
  return standing === undefined || tree.places.has(standing) ? null : pathTo(tree.turns, standing)
}
