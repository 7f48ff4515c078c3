import { allCells, linksOfAuthor, type StoredLink } from '#store'
import { sameValue, type Tree, type TurnId } from '#timeline'
import type { Project } from '../project/index.ts'
import { foldLinks, type UnrecordedChange } from './unrecorded-changes.ts'

/**
 * The user's own changes between a turn and the next one: links that no turn, operation or git move
 * made. "Next" means along the line for turns on the line, and in time for other branches.
 */
export function editedBetween(
  { store }: Project,
  tree: Tree,
): (turn: TurnId) => UnrecordedChange[] {
  const links = linksOfAuthor(store, { kind: 'outside', id: null })
    // Directories have no content of their own.
    .filter(({ before, after }) => before.kind !== 'absent' || after.kind !== 'absent')
    .toSorted((a, b) => a.at - b.at)
  if (links.length === 0) return () => []
  const byHand = links.filter(isByHand(store, tree))
  const onLine = linksAfter(tree, tree.line, byHand)
  const anywhere = linksAfter(tree, tree.turns.keys(), byHand)
  return (turn) =>
    foldLinks((tree.places.has(turn) ? onLine : anywhere).get(turn) ?? [], () => 'user').sort(
      (a, b) => (a.path < b.path ? -1 : 1),
    )
}

/**
 * The agent's own rewind restores a file to its state before turns that the conversation then
 * leaves. That is not an edit of the user's (sem.C5).
 */
function isByHand(store: Project['store'], tree: Tree): (link: StoredLink) => boolean {
  const passed = Map.groupBy(
    allCells(store).flatMap(({ cell }) =>
      tree.turns.has(cell.turn) && !tree.places.has(cell.turn) ? [cell] : [],
    ),
    ({ path }) => path,
  )
  return ({ path, before, after }) => {
    const own = passed.get(path) ?? []
    const left = own.some(({ eff }) => sameValue(eff.at(-1)!.after, before))
    return !left || !own.some(({ eff }) => sameValue(eff[0]!.before, after))
  }
}

/** Assigns each link to the last of these turns whose prompt was sent before it. */
function linksAfter(
  { turns }: Tree,
  ids: Iterable<TurnId>,
  links: readonly StoredLink[],
): ReadonlyMap<TurnId | undefined, readonly StoredLink[]> {
  const sent = [...ids]
    .map((id) => ({ id, at: Date.parse(turns.get(id)!.at ?? '') }))
    .filter(({ at }) => !Number.isNaN(at))
    .sort((a, b) => a.at - b.at)
  let next = 0
  return Map.groupBy(links, ({ at }) => {
    while (next < sent.length && sent[next]!.at <= at) next += 1
    return sent[next - 1]?.id
  })
}
