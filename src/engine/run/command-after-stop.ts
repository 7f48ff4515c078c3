import type { Command, CommandOf } from '#protocol'
import type { ReadSession } from '../session/index.ts'
import type { Stopped } from './runs.ts'

/**
 * What a command means after the running turn was stopped for it; null if the stop was all of it.
 * The stopped turn is one of those to undo, even if it did not reach the transcript. Otherwise an
 * undo right after a prompt would undo the finished turn before it.
 */
export function commandAfterStop(
  command: Command,
  { run }: Stopped,
  { tree }: ReadSession,
): Command | null {
  // The caller saw the session with or without the running turn; accept both heads.
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
  // Undo keeps a finished first turn in the conversation, but this one never finished.
  const whole = undo.whole === true || (isThere && tree.places.get(run.turn) === 0)
  return { ...undo, count, whole }
}
