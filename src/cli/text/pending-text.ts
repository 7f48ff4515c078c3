import { forSession, reopenWords } from '#protocol'
import type { AgentWords, SettledMove } from '#engine'
import { shortId, type Reopen, type SessionReport, type TurnName } from '#timeline'
import { count } from './paint.ts'

/** The pending move, and what triggers it. */
export function pendingText(to: TurnName | null, { live }: Pick<SessionReport, 'live'>): string {
  const where = to === null ? 'starts empty' : `continues after turn ${nameOf(to)}`
  return live === null
    ? `the conversation ${where} with the next \`retake\``
    : `the conversation ${where} when the agent leaves it`
}

/** What to type while the agent is open. */
export function pendingHelp(to: TurnName | null, session: string, words: AgentWords): string[] {
  const where = to === null ? 'starts empty' : `continues after turn ${nameOf(to)}`
  return [
    `The conversation ${where} as soon as ${words.name} leaves it. There, type`,
    `${forSession(words.switchTo, session)}; or ${words.leave} and \`${forSession(words.resume, session)}\`.`,
    'If you send a prompt before that, the conversation and the files stay as they are.',
  ]
}

/** What happened to an agent under `retake claude`. If it stays open, `pendingHelp` follows. */
export function reopenText(reopen: Reopen, to: TurnName | null, words: AgentWords): string {
  return reopenWords(reopen, { agent: words.name, turn: to === null ? null : nameOf(to) })
}

export function settledText(settled: SettledMove): string {
  if (settled.kind === 'moved') {
    const to = settled.to === null ? 'starts empty' : `continues after turn ${nameOf(settled.to)}`
    return `The pending move is done: the conversation ${to}.`
  }
  const files = settled.files.length === 0 ? '' : ` Reverted for good: ${listed(settled.files)}.`
  return `The conversation continued after operation ${settled.operation}, so it was not moved.${files}`
}

function listed(files: readonly string[]): string {
  return files.length > 5 ? count(files.length, 'file') : files.join(', ')
}

function nameOf({ id, number }: TurnName): string {
  return number === null ? shortId(id) : String(number)
}
