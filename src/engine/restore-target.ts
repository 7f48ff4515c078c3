import { Failure } from '#failure'
import { linksOfPath } from '#store'
import type { Ledger, ProjectPath, Target, TurnId, Value } from '#timeline'
import type { Project } from './open-project.ts'

/**
 * What single files were after a turn: what the last link up to it left, or what the first one
 * after it found. A path that no turn of the line changed has no such value.
 */
export function restoreTarget(
  project: Project,
  ledger: Ledger,
  { paths, at }: { paths: readonly ProjectPath[]; at: TurnId | null },
): Target {
  const place = at === null ? -1 : ledger.line.findIndex(({ id }) => id === at)
  const upTo = new Set<string>(ledger.line.slice(0, place + 1).map(({ id }) => id))
  const after = new Set<string>(ledger.line.slice(place + 1).map(({ id }) => id))
  const values = new Map<ProjectPath, Value>()
  let seq = 0
  for (const path of paths) {
    const links = linksOfPath(project.store, path).filter(({ author }) => author.kind === 'turn')
    const last = links.findLast(({ author }) => upTo.has(author.id ?? ''))
    const next = links.find(({ author }) => after.has(author.id ?? ''))
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
