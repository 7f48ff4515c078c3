import { nameSession, type SessionCare } from '#engine'
import type { ReceiptReport } from '#timeline'
import type { Context } from '../context.ts'
import { change, type ChangeFlags } from './change.ts'

/** Care of whole sessions. It is Retake's alone: the agent's files stay as they are. */
export function careForSessions(
  context: Context,
  flags: ChangeFlags,
  texts: readonly string[],
  ask: (also: readonly string[]) => SessionCare,
): Promise<ReceiptReport | null> {
  const [session, ...also] = texts.map(
    (text) => nameSession(context.machine, { session: text, project: null }).id,
  )
  const there = { ...context, wanted: { session: session!, project: null } }
  return change(there, flags, () => ask(also))
}
