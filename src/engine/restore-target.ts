import { Failure } from '#failure'
import { linksOfPath } from '#store'
import { pathTo, type ProjectPath, type Target, type TurnId, type Value } from '#timeline'
import type { Project } from './open-project.ts'
import type { ReadSession } from './read-session.ts'

/**
 * What single files were after a turn, on whichever branch it is: what the last link on the way to
 * it left, or what the first one beside that way found. A path that no turn of the session changed
 * has no such value.
 */
export function restoreTarget(
  project: Project,
  { tree }: ReadSession,
  { paths, at }: { paths: readonly ProjectPath[]; at: TurnId | null },
): Target {
  const upTo = new Set<string>(pathTo(tree.turns, at))
  const beside = new Set<string>(tree.line.filter((id) => !upTo.has(id)))
  const values = new Map<ProjectPath, Value>()
  let seq = 0
  for (const path of paths) {
    const links = linksOfPath(project.store, path).filter(
      ({ author }) => author.kind === 'turn' && tree.turns.has((author.id ?? '') as TurnId),
    )
    const last = links.findLast(({ author }) => upTo.has(author.id ?? ''))
    // Where the way to the turn never touched the file, it stood as the current line found it.
    const next = links.find(({ author }) => beside.has(author.id ?? '')) ?? links[0]
    const value = last?.after ?? next?.before
    if (value === undefined)
      throw new Failure('path-not-known', `No turn of this session changed ${path}.`, {
        hint: 'Only files that the agent changed can be restored.',
      })
    values.set(path, value)
    seq = Math.max(seq, last?.seq ?? 0)
  }
  return { seq, values }
}
