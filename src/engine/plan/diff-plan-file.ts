import type { FileDiff } from '#timeline'
import { diffFile, type Project, type Reveal } from '../project/index.ts'
import { planContents, planFileAt } from './plan-file-at.ts'
import type { PlannedOperation } from './planned.ts'

/** The diff that a plan makes to one of its files. For a conflict: the diff of `put-back`. */
export function diffPlanFile(
  project: Project,
  planned: PlannedOperation,
  place: number,
  how: Reveal,
): FileDiff {
  const { path, pre, post, verb, sides } = planFileAt(planned, place)
  const after = verb === 'conflict' && sides !== null ? sides.theirs : post
  return diffFile(planContents(project, planned), { path, before: pre, after }, how)
}
