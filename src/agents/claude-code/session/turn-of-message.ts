import type { TurnId } from '#timeline'
import type { ClaudeSession } from './claude-session.ts'

/** The turn that contains a row with this uuid. */
export function turnOfMessage({ conversation }: ClaudeSession, named: string): TurnId | null {
  const above = conversation.turns.find(({ rows, asides }) =>
    [rows, asides].some((list) => list.some(({ uuid }) => uuid === named)),
  )
  return above?.turn.id ?? null
}
