import { foldingOf, folds, lstatPath } from '#disk'
import { linkedPaths, type Sighting } from '#store'
import { foldName, type ProjectPath } from '#timeline'
import type { Project } from '../project/index.ts'
import type { ValueThen } from './link-history.ts'

/**
 * How a file was spelled when an edit of it was recorded. A volume that folds names finds it under
 * any spelling, and since then it may have been renamed to another one, or deleted (sem.A11).
 */
export function spellingsThen(
  project: Project,
  sightings: readonly Sighting[],
  valueThen: ValueThen,
): (path: ProjectPath, at: number) => ProjectPath {
  const { root, store } = project
  const annexOf = (path: string) => root.annexes.find((annex) => path.startsWith(`${annex.path}/`))
  const bySpelling = new Map<string, Map<string, ProjectPath[]>>()
  const allLike = (path: ProjectPath): readonly ProjectPath[] => {
    const own = path.startsWith('/') ? annexOf(path) : root
    if (own === undefined) return []
    const folding = foldingOf(own.disk, own)
    if (!folds(folding)) return []
    let known = bySpelling.get(own.path)
    if (known === undefined) {
      const paths = new Set([...linkedPaths(store), ...sightings.map((each) => each.path)])
      known = Map.groupBy(paths, (each) => foldName(each, folding))
      bySpelling.set(own.path, known)
    }
    return known.get(foldName(path, folding)) ?? []
  }
  const existed = (path: ProjectPath, at: number): boolean => {
    const then = valueThen(path, at)
    if (then !== undefined) return then.kind !== 'absent'
    return lstatPath(path.startsWith('/') ? path : `${root.path}/${path}`) !== null
  }
  return (path, at) => {
    if (!Number.isFinite(at)) return path
    const like = allLike(path)
    if (like.length === 0 || existed(path, at)) return path
    const isThen = (each: ProjectPath): boolean =>
      (valueThen(each, at)?.kind ?? 'absent') !== 'absent'
    return like.find(isThen) ?? path
  }
}
