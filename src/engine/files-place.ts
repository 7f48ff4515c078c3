import { filesStateOf, pathTo, type Ledger, type Tree, type TurnId } from '#timeline'

/**
 * Where the files stand on the line, which need not be where the conversation stands (sem.C1).
 * Verbs that move the files alone, and rewind, start from here: from the head of the conversation
 * a redo of files would find nothing ahead, and a rewind to where the head is nothing to do.
 */
export function filesPlace({ line, head, cells, beforeFirst }: Ledger): {
  head: TurnId | null
  beforeFirst: boolean
} {
  const byTurn = Map.groupBy(cells, ({ turn }) => turn)
  const states = line.map(({ id }) => filesStateOf(byTurn.get(id) ?? []))
  const here = line.findIndex(({ id }) => id === head)
  const ahead = states.findLastIndex((state) => state === 'in' || state === 'partly')
  if (ahead > here) return { head: line[ahead]!.id, beforeFirst: false }
  // Turns without files and reverted ones stand nowhere: they go with what lies before them.
  let place = here
  for (let at = here; at >= 0 && states[at] !== 'in' && states[at] !== 'partly'; at--)
    if (states[at] === 'out') place = at - 1
  if (place === here) return { head, beforeFirst }
  return place < 0
    ? { head: line[0]!.id, beforeFirst: true }
    : { head: line[place]!.id, beforeFirst: false }
}

/**
 * The turns that the files stand after, where they are on another branch than the conversation:
 * after a switch of the conversation alone. Null: they are where the conversation is.
 */
export function filesPath(tree: Tree, { cells }: Ledger): TurnId[] | null {
  const byTurn = Map.groupBy(cells, ({ turn }) => turn)
  const stateOf = (id: TurnId) => filesStateOf(byTurn.get(id) ?? [])
  if (!pathTo(tree.turns, tree.head).some((id) => stateOf(id) === 'out')) return null
  const standing = [...tree.turns.keys()].findLast((id) => {
    const state = stateOf(id)
    if (state !== 'in' && state !== 'partly') return false
    return pathTo(tree.turns, id).every((above) => stateOf(above) !== 'out')
  })
  return standing === undefined || tree.places.has(standing) ? null : pathTo(tree.turns, standing)
}
