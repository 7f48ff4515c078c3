import { findAgents, type Agent, type OpenSession } from '#agents'
import type { TurnId } from '#timeline'

export function agentIn(home: string): Agent {
  return findAgents({ codex: home })[0]!
}

export function openIn(home: string, session: string): OpenSession {
  const agent = agentIn(home)
  return agent.sessions.openIndex(null).open(agent.sessions.find(session)!)
}

/** The turns from the first one to the head. */
export function lineOf({ conversation: { turns, head } }: OpenSession): TurnId[] {
  const parents = new Map(turns.map(({ turn }) => [turn.id, turn.parent]))
  const line: TurnId[] = []
  for (let at = head; at !== null; at = parents.get(at) ?? null) line.unshift(at)
  return line
}

export function promptsOf(open: OpenSession): string[] {
  const byId = new Map(open.conversation.turns.map(({ turn }) => [turn.id, turn.prompt]))
  return lineOf(open).map((id) => byId.get(id)!)
}
