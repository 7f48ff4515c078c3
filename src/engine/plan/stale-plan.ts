import { Failure } from '#failure'
import { numberOf, sameValue, type Plan, type ProjectPath, type Value } from '#timeline'
import type { Planned, PlannedOperation } from './planned.ts'

/** Says what changed since the plan was made, so that the user can decide again. */
export function stalePlan(planned: PlannedOperation, again: Planned): Failure {
  const head = headMove(planned, again)
  const files = again.kind === 'planned' ? changedFiles(planned, again) : []
  const says = [
    ...(head === null ? [] : [`it was made at ${head.was}, the session is now at ${head.now}`]),
    ...(files.length === 0 ? [] : [`changed since: ${files.join(', ')}`]),
  ]
  if (says.length === 0) says.push(...otherReasons(planned, again))
  return new Failure(
    'plan-stale',
    says.length === 0
      ? 'The files or the session changed since the plan was made.'
      : `The plan is out of date: ${says.join('; ')}.`,
    {
      hint: 'Nothing was changed. Plan again.',
      details: { changed: { head: head === null ? null : head.ids, files } },
    },
  )
}

function headMove({ session: { tree: old } }: PlannedOperation, { session: { tree } }: Planned) {
  if (old.head === tree.head) return null
  const [was, now] = [old, tree].map((each) =>
    each.head === null ? 'the start' : `turn ${numberOf(each, each.head) ?? each.head}`,
  )
  return { was, now, ids: { was: old.head, now: tree.head } }
}

/** What else two plans for the same turns and files can differ in. */
function otherReasons(old: PlannedOperation, now: Planned): string[] {
  if (now.kind === 'nothing-to-do') return ['now there is nothing to do']
  const listed = (what: string, of: (plan: Plan) => readonly string[]): string[] => {
    const [before, after] = [of(old.plan), of(now.plan)]
    const changed = [
      ...before.filter((each) => !after.includes(each)),
      ...after.filter((each) => !before.includes(each)),
    ]
    return changed.length === 0 ? [] : [`${what}: ${[...new Set(changed)].join(', ')}`]
  }
  const [was, is] = [old.session.open.identity, now.session.open.identity]
  return [
    ...(old.request.after === now.request.after ? [] : ['another operation was applied']),
    ...(was.inode === is.inode && was.size === is.size ? [] : ['the transcript changed']),
    ...listed('other directories', ({ made, emptied }) => [
      ...made.map(({ path }) => path),
      ...emptied,
    ]),
    ...listed('changes that may not be the agent’s', ({ unsure }) =>
      unsure.map(({ path }) => path),
    ),
    ...listed('other questions', ({ asks }) => asks.map(({ code }) => code)),
    ...listed('other results', ({ files }) => files.map(({ path, verb }) => `${path} (${verb})`)),
  ]
}

/** Paths that changed since, or that only one of the two plans would touch. */
function changedFiles(planned: PlannedOperation, again: PlannedOperation): ProjectPath[] {
  const [old, now] = [planned, again].map(
    ({ plan }) => new Map<ProjectPath, Value>(plan.files.map(({ path, pre }) => [path, pre])),
  ) as [Map<ProjectPath, Value>, Map<ProjectPath, Value>]
  return [...new Set([...old.keys(), ...now.keys()])].filter((path) => {
    const [before, after] = [old.get(path), now.get(path)]
    return before === undefined || after === undefined || !sameValue(before, after)
  })
}
