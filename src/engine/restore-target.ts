import { Failure } from '#failure'
import type { ProjectPath, Target, TurnId, Value } from '#timeline'
import type { Project } from './open-project.ts'
import type { ReadSession } from './read-session.ts'
import { valueAt } from './value-at.ts'

/** What single files were after a turn. */
export function restoreTarget(
  project: Project,
  { tree }: ReadSession,
  { paths, at }: { paths: readonly ProjectPath[]; at: TurnId | null },
): Target {
  const values = new Map<ProjectPath, Value>()
  let seq = 0
  for (const path of paths) {
    const found = valueAt(project, tree, path, { turn: at })
    if (found === null)
      throw new Failure('path-not-known', `No turn of this session changed ${path}.`, {
        hint: 'Only files that the agent changed can be restored.',
      })
    values.set(path, found.value)
    seq = Math.max(seq, found.last?.seq ?? 0)
  }
  return { seq, values }
}
