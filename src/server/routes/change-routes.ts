import {
  commandAfterStop,
  diffPlanFile,
  nothingReceipt,
  openProject,
  readPlanVersions,
  type PlannedOperation,
  type Running,
  type SessionChange,
  openForChange,
} from '#engine'
import { Failure } from '#failure'
import {
  cancelView,
  diffView,
  planView,
  receiptView,
  verbs,
  verbsOn,
  versionsView,
  type ApplyBody,
  type Command,
  type ReceiptView,
  type VerbOn,
} from '#protocol'
import type { Choice, PathChoice, ProjectPath, ReceiptReport } from '#timeline'
import {
  applyWhile,
  bodies,
  type Definitions,
  plan,
  planAndApply,
  queries,
  readReveal,
  refuseRunning,
  type Served,
  stopRun,
  withSession,
} from '../requests/index.ts'

type Changes = 'plan' | 'planFile' | 'planVersions' | 'apply' | 'cancel' | VerbOn<'http'>

/** Routes that plan and that change something; every change goes through a plan. */
export const changeRoutes: Definitions<Changes> = {
  plan: {
    says: 'Plan a command; changes nothing. If there is nothing to do, answers with a receipt',
    answers: ['plan', 'receipt'],
    body: bodies.plan,
    handle: ({ params, body }, served) =>
      withSession(served, params.session, async (change) => {
        const { session } = change
        refuseRunning(served, session.report.id)
        const planned = await plan(served, change, body)
        if (planned.kind === 'nothing-to-do') return receiptView(nothingReceipt(session, planned))
        served.plans.keep(planned)
        return planView(planned.report)
      }),
  },
  planFile: {
    says: 'Show the diff of one file of a plan',
    answers: ['diff'],
    query: queries.reveal,
    handle({ params, query }, { plans, machine }) {
      const { planned } = plans.get(params.plan)
      const { id, project: path } = planned.session.report
      using project = openProject(machine, path)
      return diffView(id, params.plan, [
        diffPlanFile(project, planned, Number(params.file), readReveal(query)),
      ])
    },
  },
  planVersions: {
    says: 'Show a file of a plan in three versions: base, yours, planned',
    answers: ['versions'],
    query: queries.versions,
    handle({ params, query }, { plans, machine }) {
      const { planned } = plans.get(params.plan)
      using project = openProject(machine, planned.session.report.project)
      const file = Number(params.file)
      const places = (query.places?.split(',') ?? null) as Choice[] | null
      return versionsView(
        readPlanVersions(project, planned, file, { ...readReveal(query), places }),
      )
    },
  },
  apply: {
    says: 'Apply a plan; fails if anything changed since it was made',
    answers: ['receipt'],
    body: bodies.apply,
    async handle({ params, body }, served) {
      const kept = served.plans.get(params.plan)
      kept.applied ??= served.underWay.carryOut(kept.planned, (running) =>
        applyKept(served, kept.planned, body, running),
      )
      try {
        return receiptView(await kept.applied)
      } catch (error) {
        // A refused plan can be applied again with other choices.
        kept.applied = null
        throw error
      }
    },
  },
  cancel: {
    says: 'Cancel a running plan and roll it back, unless it is too late',
    answers: ['cancel'],
    async handle({ params: { plan } }, { plans, underWay }) {
      const cancelled = underWay.cancel(plan)
      if (cancelled !== null) return cancelView(plan, await cancelled)
      const { applied } = plans.get(plan)
      if (applied !== null) return cancelView(plan, await applied)
      throw new Failure('operation-not-running', 'That plan is not running.', {
        hint: 'It changed nothing.',
      })
    },
  },
  ...oneShot(),
}

/** A route for each verb that has one: plans and applies in one request. */
function oneShot(): Definitions<VerbOn<'http'>> {
  const routes = verbsOn('http').map((verb) => [
    verb,
    {
      says: sentenceOf(verbs[verb].does),
      answers: ['receipt'],
      body: bodies[verb],
      handle: ({ params, body }: { params: { session: string }; body: object }, served: Served) =>
        perform(served, params.session, { ...body, verb } as Command),
    },
  ])
  return Object.fromEntries(routes)
}

function sentenceOf(does: string): string {
  return `${does.charAt(0).toUpperCase()}${does.slice(1)}`
}

/**
 * Plans and applies in one request. First stops a turn that this server runs in the session. Going
 * back also stops a turn under `retake claude`, unless the client named the head that it saw.
 */
async function perform(served: Served, id: string, command: Command): Promise<ReceiptView> {
  const stopped = await stopRun(served, id)
  const stop = command.verb === 'back' && command.expectHead === undefined
  const move = (change: SessionChange): Promise<ReceiptView> | ReceiptView => {
    const { session } = change
    const left = stopped === null ? command : commandAfterStop(command, stopped.run.turn, session)
    if (left !== null) return planAndApply(served, change, left)
    return receiptView(nothingReceipt(session, { verb: 'undo', why: 'stopped' }))
  }
  return withSession(served, id, move, { stop })
}

async function applyKept(
  served: Served,
  planned: PlannedOperation,
  { choices = {}, confirmed = false }: ApplyBody,
  running: Running,
): Promise<ReceiptReport> {
  const { machine } = served
  refuseRunning(served, planned.session.report.id)
  using change = await openForChange(machine, planned.session.report.id, { running })
  const chosen = readChoices(planned, choices)
  if (chosen.size === 0 && !confirmed) return await applyWhile(served, change, planned, running)
  const decided = await change.decide(planned, { choices: chosen, confirmed })
  if (decided.kind !== 'planned') return nothingReceipt(change.session, decided)
  return await applyWhile(served, change, decided, running)
}

/**
 * Accepts choices only for files of the plan: any other name is refused and never used as a path.
 */
function readChoices(
  { plan }: PlannedOperation,
  choices: Readonly<Record<string, PathChoice>>,
): Map<ProjectPath, PathChoice> {
  const known = new Map(plan.files.map((file) => [file.path as string, file]))
  return new Map(
    Object.entries(choices).map(([name, choice]) => {
      const file = known.get(name)
      if (file === undefined) throw new Failure('path-not-known', `The plan has no file ${name}.`)
      const { length } = file.regions
      if (typeof choice !== 'string' && choice.length !== length)
        throw new Failure('body-invalid', `${name} has ${length} conflicts.`, {
          hint: 'Give one choice for each conflict, or one for the whole file.',
        })
      return [file.path, choice]
    }),
  )
}
