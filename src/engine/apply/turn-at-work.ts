import type { LiveProcess } from '#agents'
import type { TurnId } from '#timeline'
import type { ReadSession } from '../session/index.ts'

/** The agent stamps a prompt up to this much before it reports that it is busy. */
const STAMPED_BEFORE_MS = 1000

/**
 * The turn that a busy agent works on; null if it is not in the transcript. The agent writes a
 * prompt down only after the hooks for it have run. Until then the head is a finished turn, which
 * an undo of the running turn must not touch.
 */
export function findTurnAtWork(
  { tree: { head, turns }, open }: TurnsRead,
  { startedAt, statusSince }: Pick<LiveProcess, 'startedAt' | 'statusSince'>,
): TurnId | null {
  const sent = Date.parse((head === null ? null : turns.get(head)?.at) ?? '')
  if (Number.isNaN(sent) || sent < startedAt) return null
  // An approval in the middle of a turn also makes the agent busy again, after the prompt.
  const isNewer = statusSince !== null && sent >= statusSince - STAMPED_BEFORE_MS
  return isNewer || !open.isAnswered() ? head : null
}

type TurnsRead = {
  readonly tree: Pick<ReadSession['tree'], 'head' | 'turns'>
  readonly open: Pick<ReadSession['open'], 'isAnswered'>
}
