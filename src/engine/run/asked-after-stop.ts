import type { Asked, AskedHow, ReadSession } from '../session/index.ts'
import type { Stopped } from './runs.ts'

/**
 * What an operation means once the turn that ran was stopped for it. The stopped turn is one of
 * those to undo, whether or not it got as far as the transcript: without this, an undo in the
 * first moments of a turn would take the finished one before it.
 */
export function askedAfterStop(
  { asked, how }: { asked: Asked; how: AskedHow },
  { run }: Stopped,
  { tree }: ReadSession,
): { asked: Asked; how: AskedHow } | null {
  if (asked.verb !== 'undo') return { asked, how }
  const isThere = tree.turns.has(run.turn)
  const count = isThere ? asked.count : asked.count - 1
  if (count === 0) return null
  // The conversation keeps a first turn that was finished; this one never was.
  const whole = how.whole || (isThere && tree.places.get(run.turn) === 0)
  return { asked: { ...asked, count }, how: { ...how, whole } }
}
