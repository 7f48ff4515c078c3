import type { Sighting } from '#store'
import { stepsOf, type Moment, type RecordedEdit, type Step } from '#timeline'
import { linkHistory } from './link-history.ts'
import type { Project } from '../project/index.ts'
import { evidenceOf, recordedLinks, type TurnEdit } from './recorded-links.ts'
import type { WovenLink } from './woven-link.ts'

export interface FreshEdit extends TurnEdit {
  /** When the agent called for the edit; not a number if nobody knows. */
  readonly calledAt: number
  /** The agent read the file again since its last edit of it in this turn. */
  readonly isReread: boolean
}

/** When each edit of a turn was called for, from the turn's steps. */
export function callsIn(
  moments: readonly Moment[],
): (edit: RecordedEdit) => Pick<FreshEdit, 'calledAt' | 'isReread'> {
  const steps = flatten(stepsOf(moments))
  return ({ step: id, path }) => {
    const index = steps.findIndex((step) => step.id === id)
    const before = steps.slice(0, Math.max(index, 0)).filter(({ about }) => about === path)
    return {
      calledAt: Date.parse(steps[index]?.at ?? ''),
      isReread:
        before.findLast(({ kind, edits }) => kind === 'read' || edits.length > 0)?.kind === 'read',
    }
  }
}

function flatten(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...flatten(step.agent?.steps ?? [])])
}

/** Recorded edits with what the turn's steps tell of their times. */
export function linksOf(
  project: Project,
  fresh: readonly FreshEdit[],
  sightings: readonly Sighting[],
): WovenLink[] {
  const told = new Map(fresh.map((each) => [evidenceOf(each.edit), each]))
  return recordedLinks(project, fresh, linkHistory(project.store, sightings)).map((link) => {
    const { calledAt, isReread } = told.get(link.evidence)!
    return { ...link, isReread, ...(Number.isNaN(calledAt) ? {} : { calledAt }) }
  })
}
