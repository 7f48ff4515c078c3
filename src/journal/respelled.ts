import { exactRoot, foldingOf, type PinnedRoot } from '#disk'
import type { Operation } from '#store'
import { foldName } from '#timeline'
import { parentsOf } from './order.ts'

const known = new WeakMap<Operation['paths'], ReadonlySet<number>>()

/**
 * The root in which to look up a path of an operation. If another path of the operation has the same
 * name in another spelling, only the listing tells them apart. Other paths need no listing: they were
 * found as they are spelled when the operation began.
 */
export function rootFor(root: PinnedRoot, { paths }: Operation, n: number): PinnedRoot {
  const exact = exactRoot(root)
  if (exact === root) return root
  let respelled = known.get(paths)
  if (respelled === undefined) known.set(paths, (respelled = findRespelled(root, paths)))
  return respelled.has(n) ? exact : root
}

function findRespelled(root: PinnedRoot, paths: Operation['paths']): Set<number> {
  const folding = foldingOf(root.disk, root)
  const spellings = new Map<string, Set<string>>()
  for (const { path } of paths)
    for (const each of [path, ...parentsOf(path)]) {
      const folded = foldName(each, folding)
      spellings.set(folded, (spellings.get(folded) ?? new Set()).add(each))
    }
  const isRespelled = (path: string): boolean => spellings.get(foldName(path, folding))!.size > 1
  return new Set(
    [...paths.keys()].filter((n) =>
      [paths[n]!.path, ...parentsOf(paths[n]!.path)].some(isRespelled),
    ),
  )
}
