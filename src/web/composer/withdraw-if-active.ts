import { keys, queries, type Log } from '../connection/queries.ts'
import { settled } from '../connection/refresh.ts'
import { readLine, undoneTurns } from '../turns/read-line.ts'
import { draftOf, withdrawPrompt } from './draft.ts'

/**
 * Withdraws a prompt if its turn was active again before the page saw it undone, as after a redo in
 * a terminal while this page was closed or still loading: one Enter would send it a second time.
 */
export async function withdrawIfActive(session: string, offered: string): Promise<void> {
  await settled(session)
  const log = queries.getQueryData<Log>(keys.tail(session))
  if (log === undefined || draftOf(session).offered !== offered) return
  const line = readLine(log)
  const isOffered = ({ prompt }: { prompt: string }): boolean => prompt === offered
  const isActive = line.turns.some((turn) => isOffered(turn) && turn.state === 'active')
  if (isActive && !undoneTurns(line).some(isOffered)) withdrawPrompt(session)
}
