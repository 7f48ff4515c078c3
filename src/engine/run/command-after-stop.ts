import type { Command, CommandOf } from '#protocol'
import type { ReadSession } from '../session/index.ts'
import type { Stopped } from './runs.ts'

/**
 * What a command means once the turn that ran was stopped for it; null: the stop was all of it. The
 * stopped turn is one of those to undo, whether or not it got as far as the transcript: without
 * this, an undo in the first moments of a turn would undo the finished one before it.
 */
export function commandAfterStop(
  command: Command,
  { run }: Stopped,
  { tree }: ReadSession,
): Command | null {
  // The caller saw the session with the turn that ran, or without it; both mean this one.
  const head = tree.head ?? undefined
  const seen: unknown[] = [run.turn, tree.turns.get(run.turn)?.parent ?? head]
  const isSeen = 'expectHead' in command && seen.includes(command.expectHead)
  const asked = isSeen ? { ...command, expectHead: head } : command
  if (asked.verb !== 'undo' && asked.verb !== 'back') return asked
  const undo: CommandOf<'undo'> =
    asked.verb === 'back' ? { ...asked, verb: 'undo', only: 'chat' } : asked
  const isThere = tree.turns.has(run.turn)
  const { count: wanted = 1 } = undo
  const count = isThere ? wanted : wanted - 1
  if (count === 0) return null
  // The conversation keeps a first turn that was finished; this one never was.
  const whole = undo.whole === true || (isThere && tree.places.get(run.turn) === 0)
  return { ...undo, count, whole }
}
