import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import {
  findCaller,
  openForChange,
  readSession,
  type Inside,
  type Machine,
  type PlannedOperation,
  type SessionChange,
  type Wanted,
} from '#engine'
import { Failure, wordRemedy } from '#failure'
import { inTools } from './tool-words.ts'

/** What all tools of one process share. */
export interface Desk {
  readonly machine: Machine
  /** The process that started this one, and the session that it had open then. */
  readonly parent: number
  readonly session: string | null
  /** Plans that can be applied, by their ids. */
  readonly plans: Map<string, PlannedOperation>
}

/** The session that the agent has open now: it may have gone to another since it started us. */
export function wantedBy({ machine, parent, session }: Desk): Wanted {
  return { session: findCaller(machine, parent) ?? session, project: null }
}

/** Opens the session to plan or apply, with the turn that asks (sem.C8). */
export async function withSession<T>(
  desk: Desk,
  context: ServerContext,
  use: (change: SessionChange) => T | Promise<T>,
): Promise<T> {
  const { machine } = desk
  const { report } = readSession(machine, wantedBy(desk))
  const inside = insideOf(desk, context, report.id)
  using change = await openForChange(machine, report.id, { inside })
  return await use(change)
}

/** Agents name the call that a request is about, each under a name of its own. */
function insideOf(desk: Desk, context: ServerContext, session: string): Inside | undefined {
  if (wantedBy(desk).session !== session) return undefined
  const { _meta: about } = context.mcpReq
  const call = Object.entries(about ?? {}).find(([name]) => name.endsWith('/toolUseId'))?.[1]
  return { kind: 'turn', call: typeof call === 'string' ? call : null }
}

/** The answer as an object, and as text for clients that read no objects. */
export function answer(view: object): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(view) }],
    structuredContent: view,
  }
}

/** What was refused is told to the model, who can do something about it. */
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
