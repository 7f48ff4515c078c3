import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { findTurn, nothingReceipt, plainly, type Asked, type ReadSession } from '#engine'
import { Failure } from '#failure'
import { planView, receiptView } from '#protocol'
import { answering, withSession, type Desk } from './desk.ts'

const PLANS = { readOnlyHint: true, openWorldHint: false } as const

const COUNT = z.number().int().min(1).max(1000).optional().describe('how many turns; default 1')
const TURN = z.string().describe('a turn: its number, or its id')

/** What a tool is called with, as far as its schema asks for it. */
interface Args {
  readonly count?: number
  readonly turn?: string
  readonly off?: boolean
}

/** As many plans as anybody looks at before one is applied. */
const KEPT = 20

export function addPlanTools(server: McpServer, desk: Desk): void {
  const offer = (
    name: string,
    { title, does, input }: { title: string; does: string; input: z.ZodObject },
    ask: (args: Args, session: ReadSession) => Asked,
  ): void => {
    server.registerTool(
      name,
      {
        title,
        description: `${does} Changes nothing: the answer is a plan, with an id for apply_plan.`,
        inputSchema: input,
        annotations: PLANS,
      },
      (args: Args, context: ServerContext) =>
        answering(() => plan(desk, context, (session) => ask(args, session))),
    )
  }
  offer(
    'plan_undo',
    {
      title: 'Plan an undo',
      does: 'What it would do to take the last finished turn back, or the last `count`: files, and conversation.',
      input: z.strictObject({ count: COUNT }),
    },
    ({ count = 1 }) => ({ verb: 'undo', count }),
  )
  offer(
    'plan_redo',
    {
      title: 'Plan a redo',
      does: 'What it would do to bring the next undone turn again, or the next `count`.',
      input: z.strictObject({ count: COUNT }),
    },
    ({ count = 1 }) => ({ verb: 'redo', count }),
  )
  offer(
    'plan_rewind',
    {
      title: 'Plan a rewind',
      does: 'What it would do to keep everything up to and including a turn; turn 0 is before the first.',
      input: z.strictObject({ turn: TURN }),
    },
    ({ turn = '' }, { tree }) => ({
      verb: 'rewind',
      to: turn === '0' ? null : findTurn(tree, turn),
    }),
  )
  offer(
    'plan_revert',
    {
      title: 'Plan a revert',
      does: 'What it would do to take the file changes of one turn out, and keep those of later turns.',
      input: z.strictObject({
        turn: TURN,
        off: z.boolean().optional().describe('bring them back instead'),
      }),
    },
    ({ turn = '', off = false }, { tree }) => ({ verb: 'revert', turn: findTurn(tree, turn), off }),
  )
  server.registerTool(
    'apply_plan',
    {
      title: 'Apply a plan',
      description:
        'Carries out a plan of this session, by its id. Files change at once; the conversation follows when the user leaves the session with /clear or /exit, unless another prompt comes first. Refused when anything changed since the plan was made, or when the plan has conflicts.',
      inputSchema: z.strictObject({ plan: z.string().describe('the id of a plan') }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ plan: id }, context) => answering(() => apply(desk, context, id)),
  )
}

async function plan(
  desk: Desk,
  context: ServerContext,
  ask: (session: ReadSession) => Asked,
): Promise<object> {
  return withSession(desk, context, async (change) => {
    const { plans } = desk
    const planned = await change.plan(ask(change.session), plainly)
    if (planned.kind === 'nothing-to-do')
      return receiptView(nothingReceipt(planned.session, planned))
    plans.set(planned.report.id, planned)
    for (const old of [...plans.keys()].slice(0, -KEPT)) plans.delete(old)
    return planView(planned.report)
  })
}

async function apply(desk: Desk, context: ServerContext, id: string): Promise<object> {
  const planned = desk.plans.get(id)
  if (planned === undefined)
    throw new Failure('plan-not-found', 'There is no plan with that id.', {
      hint: 'Plan first; plans of another process, or of long ago, cannot be applied.',
    })
  return withSession(desk, context, async (change) => receiptView(await change.apply(planned)))
}
