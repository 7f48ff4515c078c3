import { linksOfAuthor, type StoredLink } from '#store'
import type { Tree, TurnId } from '#timeline'
import type { Project } from './open-project.ts'
import { foldLinks, type UnrecordedChange } from './unrecorded-changes.ts'

/**
 * What was changed by hand between a turn and the next one, by the turn it came after: links that
 * no turn, no operation and no move of git made. "Next" is along the line for turns of the line,
 * and in time for those of other branches.
 */
export function editedBetween(
  { store }: Project,
  tree: Tree,
): (turn: TurnId) => UnrecordedChange[] {
  const links = linksOfAuthor(store, { kind: 'outside', id: null })
    // A directory that came or went has no content of its own.
    .filter(({ before, after }) => before.kind !== 'absent' || after.kind !== 'absent')
    .toSorted((a, b) => a.at - b.at)
  if (links.length === 0) return () => []
  const onLine = linksAfter(tree, tree.line, links)
  const anywhere = linksAfter(tree, tree.turns.keys(), links)
  return (turn) =>
    foldLinks((tree.places.has(turn) ? onLine : anywhere).get(turn) ?? [], () => 'user').sort(
      (a, b) => (a.path < b.path ? -1 : 1),
    )
}

/** Each link goes to the last of these turns whose prompt was sent before it. */
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
