import { linksOfAuthor } from '#store'
import type { LeftReport, NotCovered, UnsureLink } from '#timeline'
import type { Project } from './open-project.ts'
import { becauseOf } from './plan-words.ts'

/** Changes that may not be the turns', once per path. */
export function leftInDoubt(
  { store }: Pick<Project, 'store'>,
  unsure: readonly UnsureLink[],
): LeftReport[] {
  const byPath = new Map(unsure.map((link) => [link.path, link]))
  return [...byPath.values()].map(({ path, turn, doubt }) => {
    const links = linksOfAuthor(store, { kind: doubt, id: turn })
    const evidence = links.findLast((link) => link.path === path)?.evidence
    return { path, kind: doubt, why: evidence ?? UNKNOWN, include: 'includeUnsure' }
  })
}

const UNKNOWN = 'it may not be this turn’s change'

export function leftNotCovered(notCovered: readonly NotCovered[]): LeftReport[] {
  return notCovered
    .map((each) => ({ path: each.path, kind: 'not-covered' as const, why: becauseOf(each) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}
