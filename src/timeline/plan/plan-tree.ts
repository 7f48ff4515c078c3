import type { FileChange } from '../cell/index.ts'
import type { TreeReason } from './plan-result.ts'
import { foldName, type NameFolding, type ProjectPath } from '../data/index.ts'

export interface Collision {
  readonly path: ProjectPath
  readonly reason: TreeReason
  readonly with: ProjectPath
}

/**
 * Finds places at which the planned tree would not be well-formed (sem.M6). Only created paths can
 * cause that, because the file system already accepts the present ones.
 */
export function findCollisions(
  present: Iterable<ProjectPath>,
  changes: readonly FileChange[],
  folding: NameFolding,
): Collision[] {
  const nameOf = (path: string): string => foldName(path, folding)
  const created = changes.filter(({ pre, post }) => pre.kind === 'absent' && post.kind !== 'absent')
  // Skip the listing, which may be long: most plans create nothing.
  if (created.length === 0) return []
  const planned = plannedPaths(present, changes)
  const files = new Map<string, ProjectPath[]>()
  for (const path of planned) addTo(files, nameOf(path), path)
  const foldsAny = folding.case || folding.form
  const collisions = foldsAny ? findDirectoryTwins(planned, changes, nameOf) : []
  const createdByFold = new Map<string, ProjectPath>()
  for (const { path } of created) {
    const folded = nameOf(path)
    createdByFold.set(folded, path)
    for (const twin of files.get(folded) ?? [])
      if (twin !== path) collisions.push({ path, reason: 'case-twin', with: twin })
    for (const parent of parentsOf(folded))
      for (const file of files.get(parent) ?? [])
        collisions.push({ path, reason: 'file-is-parent', with: file })
  }
  for (const below of planned)
    for (const parent of parentsOf(nameOf(below))) {
      const path = createdByFold.get(parent)
      if (path !== undefined) collisions.push({ path, reason: 'file-is-parent', with: below })
    }
  return collisions
}

/**
 * A volume that folds names cannot have `Src/a` and `src/b`. If the plan only deletes in `src`, it
 * renames the directory, and the other files in it come along.
 */
function findDirectoryTwins(
  planned: ReadonlySet<ProjectPath>,
  changes: readonly FileChange[],
  nameOf: (path: string) => string,
): Collision[] {
  const spellings = new Map<string, Map<string, ProjectPath>>()
  for (const path of planned)
    for (const parent of parentsOf(path)) {
      const folded = nameOf(parent)
      const known = spellings.get(folded)
      if (known === undefined) spellings.set(folded, new Map([[parent, path]]))
      else if (!known.has(parent)) known.set(parent, path)
    }
  const [left, written] = [new Set<string>(), new Set<string>()]
  for (const { path, pre, post } of changes)
    if (pre.kind !== post.kind || post.kind !== 'absent')
      for (const parent of parentsOf(path)) (post.kind === 'absent' ? left : written).add(parent)
  const collisions: Collision[] = []
  for (const { path, pre, post } of changes) {
    if (pre.kind !== 'absent' || post.kind === 'absent') continue
    for (const parent of parentsOf(path))
      for (const [other, holder] of spellings.get(nameOf(parent)) ?? [])
        if (other !== parent && (!left.has(other) || written.has(other)))
          collisions.push({ path, reason: 'case-twin', with: holder })
  }
  return collisions
}

/** The directories that no planned file is in, deepest first. */
export function findEmptied(
  present: Iterable<ProjectPath>,
  changes: readonly FileChange[],
  directories: ReadonlySet<ProjectPath>,
): ProjectPath[] {
  if (directories.size === 0) return []
  const empty = new Set<string>(directories)
  for (const path of plannedPaths(present, changes))
    for (const parent of parentsOf(path)) empty.delete(parent)
  return [...directories]
    .filter((directory) => empty.has(directory))
    .sort((a, b) => b.split('/').length - a.split('/').length || (a < b ? -1 : 1))
}

/** Every file and symlink that exists after the changes. */
export function plannedPaths(
  present: Iterable<ProjectPath>,
  changes: readonly FileChange[],
): Set<ProjectPath> {
  const planned = new Set(present)
  for (const { path, post } of changes) {
    if (post.kind === 'absent') planned.delete(path)
    else planned.add(path)
  }
  return planned
}

export function* parentsOf(path: string): Iterable<string> {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    yield path.slice(0, at)
}

function addTo(map: Map<string, ProjectPath[]>, key: string, path: ProjectPath): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [path])
  else list.push(path)
}
