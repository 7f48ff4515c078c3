import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { nothingReceipt } from '#engine'
import { Failure } from '#failure'
import { planView, receiptView, verbOf, verbsOn, type Argument, type Command } from '#protocol'
import { answering, withSession, type Desk } from './desk.ts'

const PLANS = { readOnlyHint: true, openWorldHint: false } as const

/** A model may choose what to move, but not how: that is for the user. */
const OFFERED = new Set(['count', 'all', 'turn', 'before', 'off', 'only'])

const KINDS: Partial<Record<Argument['kind'], () => z.ZodType>> = {
  count: () => z.number().int().min(1).max(1000),
  turn: () => z.string(),
  yes: () => z.boolean(),
  'files-or-chat': () => z.enum(['files', 'chat']),
}

function inputOf(takes: Readonly<Record<string, Argument>>): z.ZodObject {
  const offered = Object.entries(takes).filter(([name]) => OFFERED.has(name))
  const shape = offered.map(([name, { kind, says, required }]) => {
    const schema = KINDS[kind]!().describe(says)
    return [name, required === true ? schema : schema.optional()]
  })
  return z.strictObject(Object.fromEntries(shape))
}

/** Enough plans to compare before one is applied. */
const KEPT = 20

export function addPlanTools(server: McpServer, desk: Desk): void {
  for (const verb of verbsOn('mcp')) {
    const { does, takes } = verbOf(verb)
    server.registerTool(
      `plan_${verb}`,
      {
        title: `Plan: ${verb}`,
        description: `Plan how to ${does}. Changes nothing: returns a plan with an id for apply_plan.`,
        inputSchema: inputOf(takes),
        annotations: PLANS,
      },
      (given: object, context: ServerContext) =>
        answering(() => plan(desk, context, { ...given, verb } as Command)),
    )
  }
  server.registerTool(
    'apply_plan',
    {
      title: 'Apply a plan',
      description:
        'Apply a plan of this session by its id. Files change at once. The conversation moves when the user leaves the session with /clear or /exit, unless the user sends another prompt first; with `reopens` in the plan, it moves when this turn is over, and the agent reopens there. Fails if anything changed since the plan was made, or if the plan has conflicts.',
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

async function plan(desk: Desk, context: ServerContext, command: Command): Promise<object> {
  return withSession(desk, context, async (change) => {
    const { plans } = desk
    const planned = await change.plan(command)
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
      hint: 'Make a plan first. Plans of another process and old plans cannot be applied.',
    })
  return withSession(desk, context, async (change) => receiptView(await change.apply(planned)))
}
