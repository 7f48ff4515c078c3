import { stepsOf, type TurnId } from '#timeline'
import type { ForgottenLines } from '../../open-session.ts'
import type { ClaudeSession } from './claude-session.ts'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Rows contain their own id and their parent's; a line without a known id is a request record. */
export function forgottenLines(session: ClaudeSession, turns: ReadonlySet<TurnId>): ForgottenLines {
  const all = session.conversation.turns
  const idsOf = (forgotten: boolean): Set<string> =>
    new Set(
      all
        .filter(({ turn }) => turns.has(turn.id) === forgotten)
        .flatMap(({ rows }) => rows.map(({ uuid }) => uuid)),
    )
  const [gone, kept] = [idsOf(true), idsOf(false)]
  const agents = all
    .filter(({ turn }) => turns.has(turn.id))
    .flatMap(({ turn }) => stepsOf(session.readTurn(turn.id).moments))
    .flatMap(({ agent }) => agent?.id ?? [])
  return {
    isGone(line) {
      const ids = line.toString('latin1').match(UUID) ?? []
      if (ids.some((id) => gone.has(id))) return true
      return ids.some((id) => kept.has(id)) ? false : null
    },
    isOfThem: (path) => agents.some((id) => id !== '' && path.includes(`/agent-${id}.`)),
  }
}
