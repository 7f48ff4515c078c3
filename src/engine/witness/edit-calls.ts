import type { Sighting } from '#store'
import { stepsOf, type Moment, type ProjectPath, type RecordedEdit, type Step } from '#timeline'
import { linkHistory, valueHistory } from './link-history.ts'
import type { Project } from '../project/index.ts'
import { evidenceOf, recordedLinks, type TurnEdit } from './recorded-links.ts'
import type { CombinedLink } from './combined-link.ts'
import { spellingsThen } from './spelling-then.ts'

export interface FreshEdit extends TurnEdit {
  /** When the agent called the edit tool; NaN if unknown. */
  readonly calledAt: number
  /** The agent reread the file since its last edit of it in this turn. */
  readonly isReread: boolean
}

/** Finds each edit's call time, and whether the file was reread, in the turn's steps. */
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

/** The links of recorded edits, with their call times. */
export function linksOf(
  project: Project,
  fresh: readonly FreshEdit[],
  sightings: readonly Sighting[],
): CombinedLink[] {
  const edits = new Map(fresh.map((each) => [evidenceOf(each.edit), each]))
  const seen = Map.groupBy(sightings, ({ path }) => path)
  const valueThen = valueHistory(project.store, sightings)
  const history = {
    linkThen: linkHistory(valueThen),
    spellingThen: spellingsThen(project, sightings, valueThen),
    seenAt: (path: ProjectPath) => seen.get(path) ?? [],
  }
  return recordedLinks(project, fresh, history).map((link) => {
    const { calledAt, isReread } = edits.get(link.evidence)!
    return { ...link, isReread, ...(Number.isNaN(calledAt) ? {} : { calledAt }) }
  })
}
