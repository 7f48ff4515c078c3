import { standingSide } from '../cell/index.ts'
import type { Ledger } from './plan-world.ts'
import { pathTo, type Tree, type TurnId } from '../data/index.ts'

/**
 * Where the files stand on the line, which need not be where the conversation stands (sem.C1).
 * Verbs that move the files alone, and rewind, start from here: from the head of the conversation
 * a redo of files would find nothing ahead, and a rewind to where the head is nothing to do.
 */
export function filesPlace(
  { line, head, cells, beforeFirst }: Pick<Ledger, 'line' | 'head' | 'cells' | 'beforeFirst'>,
  how: { includeUnsure?: boolean } = {},
): Pick<Ledger, 'head' | 'beforeFirst' | 'leftOut'> {
  const byTurn = Map.groupBy(cells, ({ turn }) => turn)
  const sides = line.map(({ id }) => standingSide(byTurn.get(id) ?? [], how))
  const here = line.findIndex(({ id }) => id === head)
  // Turns without files and reverted ones stand nowhere: they go with what lies before them.
  let low = here
  for (let at = here; at >= 0 && sides[at] !== 'in'; at--) if (sides[at] === 'out') low = at - 1
  const ahead = sides.lastIndexOf('in')
  const high = ahead > here ? ahead : low
  const newest = Math.max(...line.slice(0, high + 1).map(({ seq }) => seq))
  /** Not what was out when the conversation went on from there: that stays out. */
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
 * The turns that the files stand after, where they are on another branch than the conversation:
 * after a switch of the conversation alone. Null: they are where the conversation is.
 */
export function filesPath(tree: Tree, { cells }: Pick<Ledger, 'cells'>): TurnId[] | null {
  const byTurn = Map.groupBy(cells, ({ turn }) => turn)
  const sideOf = (id: TurnId) => standingSide(byTurn.get(id) ?? [])
  if (!pathTo(tree.turns, tree.head).some((id) => sideOf(id) === 'out')) return null
  const standing = [...tree.turns.keys()].findLast(
    (id) => sideOf(id) === 'in' && pathTo(tree.turns, id).every((above) => sideOf(above) !== 'out'),
  )
  return standing === undefined || tree.places.has(standing) ? null : pathTo(tree.turns, standing)
}
