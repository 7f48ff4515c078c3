import type { TurnId } from '#timeline'
import type { Row } from '../rows/index.ts'
import type { ClaudeSession } from './claude-session.ts'
import { runningCalls } from '../steps/index.ts'

/**
 * The turn that is making this tool call; with null, the newest turn with an unanswered call. Null
 * if the agent has not written it yet: rows are buffered and arrive some milliseconds after the
 * call began.
 */
export function findRunningTurn(
  { conversation }: Pick<ClaudeSession, 'conversation'>,
  call: string | null,
): TurnId | null {
  const running = conversation.turns.findLast(({ rows }) =>
    call === null
      ? openCalls(rows).size > 0
      : rows.some((row) => row.type === 'assistant' && row.call === call),
  )
  return running?.turn.id ?? null
}

/** Whether the turn at the head is completely answered, as far as it is written. */
export function isAnswered({ conversation }: Pick<ClaudeSession, 'conversation'>): boolean {
  const entry = conversation.turns.find(({ turn }) => turn.id === conversation.head)
  if (entry === undefined) return true
  // Output of a local command after an answer expects no answer.
  const said = entry.rows.filter(
    ({ type, toolResult, prompt }) =>
      type === 'assistant' || toolResult || (prompt !== null && ASKS.has(prompt.role)),
  )
  const last = said.at(-1)
  const isEnd = last?.type === 'assistant' || last?.prompt?.role === 'interrupt'
  return isEnd && openCalls(entry.rows).size === 0
}

/** Whether background agents of other turns than `asking` are still working. */
export function hasRunningAgents(
  { conversation, file }: Pick<ClaudeSession, 'conversation' | 'file'>,
  { since, asking }: { since: number; asking: TurnId | null },
): boolean {
  const calls = runningCalls(file.path, since)
  return conversation.turns.some(
    ({ turn, rows }) =>
      turn.id !== asking && rows.some(({ call }) => call !== null && calls.has(call)),
  )
}

const ASKS: ReadonlySet<string> = new Set(['prompt', 'interrupt', 'notification'])

function openCalls(rows: readonly Row[]): Set<string> {
  const open = new Set<string>()
  for (const { type, call } of rows) if (type === 'assistant' && call !== null) open.add(call)
  for (const { toolResult, call } of rows) if (toolResult && call !== null) open.delete(call)
  return open
}
