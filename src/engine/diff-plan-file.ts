import type { FileDiff } from '#timeline'
import { diffFile, type Reveal } from './diff-file.ts'
import type { Project } from './open-project.ts'
import { planContents, planFileAt } from './plan-file-at.ts'
import type { PlannedOperation } from './planned.ts'

/** What a plan would do to one of its files, line by line. */
export function diffPlanFile(
  project: Project,
  planned: PlannedOperation,
  place: number,
  how: Reveal,
): FileDiff {
  const { path, pre, post } = planFileAt(planned, place)
  return diffFile(planContents(project, planned), { path, before: pre, after: post }, how)
}
