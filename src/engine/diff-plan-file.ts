import { diffValues, holdsSecrets, type FileDiff } from '#timeline'
import type { Project } from './open-project.ts'
import { planContents, planFileAt } from './plan-file-at.ts'
import type { PlannedOperation } from './planned.ts'

/** What a plan would do to one of its files, line by line. */
export function diffPlanFile(
  project: Project,
  planned: PlannedOperation,
  place: number,
  { reveal }: { reveal: boolean },
): FileDiff {
  const { path, pre, post } = planFileAt(planned, place)
  if (holdsSecrets(path) && !reveal) return { path, diff: { kind: 'not-text' }, hidden: true }
  return { path, diff: diffValues(planContents(project, planned), pre, post) }
}
