import type { PlanView } from '#protocol'
import { keys, queries, type Log } from '../connection/queries.ts'
import { count } from '../words.ts'

/** Warns if only the chat moves: the agent then expects other contents than the files have. */
export function chatOnly({ session, from, to, conversation }: PlanView): string[] {
  const known =
    queries.getQueryData<Log>(keys.whole(session)) ?? queries.getQueryData<Log>(keys.tail(session))
  const [a, b] = [from?.number ?? 0, to?.number ?? 0]
  const passed = (known?.turns ?? []).filter(
    ({ number }) => number !== null && number > Math.min(a, b) && number <= Math.max(a, b),
  )
  const files = new Set(passed.flatMap((turn) => turn.files.map(({ path }) => path))).size
  if (files === 0 || conversation === 'none') return []
  const these = passed.length === 1 ? 'this turn' : 'these turns'
  return [
    b < a
      ? `Only the chat moves. ${count(files, 'file')} keep what ${these} changed, and the agent no longer knows about it.`
      : `Only the chat moves. ${count(files, 'file')} may lack what ${these} changed, while the agent believes it is there.`,
  ]
}
