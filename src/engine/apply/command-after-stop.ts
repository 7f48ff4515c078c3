import type { Command, CommandOf } from '#protocol'
import type { TurnId } from '#timeline'
import type { ReadSession } from '../session/index.ts'

/**
 * What a command means after the running turn was stopped for it; null if the stop was all of it.
 * The stopped turn is one of those to undo, even if it did not reach the transcript. Otherwise an
 * undo right after a prompt would undo the finished turn before it.
 */
export function commandAfterStop(
  command: Command,
  stopped: TurnId,
  { tree }: Pick<ReadSession, 'tree'>,
): Command | null {
  // The caller saw the session with or without the running turn; accept both heads.
  const head = tree.head ?? undefined
  const seen: unknown[] = [stopped, tree.turns.get(stopped)?.parent ?? head]
  const isSeen = 'expectHead' in command && seen.includes(command.expectHead)
  const asked = isSeen ? { ...command, expectHead: head } : command
  if (asked.verb !== 'undo' && asked.verb !== 'back') return asked
  const undo: CommandOf<'undo'> =
    asked.verb === 'back' ? { ...asked, verb: 'undo', only: 'chat' } : asked
  const isThere = tree.turns.has(stopped)
  const { count: wanted = 1 } = undo
  const count = isThere ? wanted : wanted - 1
  if (count === 0) return null
  // Undo keeps a finished first turn in the conversation, but this one never finished.
  const whole = undo.whole === true || (isThere && tree.places.get(stopped) === 0)
  return { ...undo, count, whole }
}
