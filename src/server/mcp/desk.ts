import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import {
  findCaller,
  hasSession,
  openForChange,
  readSession,
  type Inside,
  type Machine,
  type PlannedOperation,
  type SessionChange,
  type SessionQuery,
} from '#engine'
import { Failure, wordRemedy } from '#failure'
import { inTools } from './tool-words.ts'

/** The state that all tools of one process share. */
export interface Desk {
  readonly machine: Machine
  /** The process that started this one, and the session that it had open then. */
  readonly parent: number
  readonly session: string | null
  /** Plans that can be applied, by their ids. */
  readonly plans: Map<string, PlannedOperation>
}

/**
 * The session of the calling turn, if the agent names it: one process may have several open. Else
 * the one that the agent has open now, which may have changed since it started us.
 */
export function wantedBy({ machine, parent, session }: Desk, context: ServerContext): SessionQuery {
  const { _meta: about } = context.mcpReq
  const named = about?.['sessionId']
  if (typeof named === 'string' && hasSession(machine, named))
    return { session: named, project: null }
  return { session: findCaller(machine, parent) ?? session, project: null }
}

/** Opens the session to plan or apply from within the calling turn (sem.C8). */
export async function withSession<T>(
  desk: Desk,
  context: ServerContext,
  use: (change: SessionChange) => T | Promise<T>,
): Promise<T> {
  const { machine } = desk
  const { report } = readSession(machine, wantedBy(desk, context))
  const inside = insideOf(desk, context, report.id)
  using change = await openForChange(machine, report.id, { inside })
  return await use(change)
}

/** Agents send the id of the tool call, each under its own name. */
function insideOf(desk: Desk, context: ServerContext, session: string): Inside | undefined {
  if (wantedBy(desk, context).session !== session) return undefined
  const { _meta: about } = context.mcpReq
  const call = Object.entries(about ?? {}).find(
    ([name]) => name.endsWith('/toolUseId') || name === 'callId',
  )?.[1]
  return { kind: 'turn', call: typeof call === 'string' ? call : null }
}

/** The result as an object, and as text for clients that do not read objects. */
export function answer(view: object): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(view) }],
    structuredContent: view,
  }
}

/** Returns a Failure to the model, which can act on it. */
export async function answering(act: () => object | Promise<object>): Promise<CallToolResult> {
  try {
    return answer(await act())
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const hint = error.hint === undefined ? '' : ` ${wordRemedy(error.hint, inTools)}`
    return {
      isError: true,
      content: [{ type: 'text', text: `${error.code}: ${error.message}${hint}` }],
    }
  }
}
