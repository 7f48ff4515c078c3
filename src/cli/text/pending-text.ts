import { forSession } from '#protocol'
import type { AgentWords, SettledMove } from '#engine'
import type { Reopen, ReopenRefusal, SessionReport, TurnName } from '#timeline'
import { count } from './paint.ts'

/** What waits for the agent to leave the session, and what the user can do about it. */
export function pendingText(to: TurnName | null, { live }: Pick<SessionReport, 'live'>): string {
  const where = to === null ? 'begins anew' : `goes on after turn ${nameOf(to)}`
  return live === null
    ? `the conversation ${where} with the next \`retake\``
    : `the conversation ${where} when the agent leaves it (/clear or /exit)`
}

/** What to type now, where the agent is open. */
export function pendingHelp(to: TurnName | null, session: string, words: AgentWords): string[] {
  const where = to === null ? 'begins anew' : `goes on after turn ${nameOf(to)}`
  return [
    `The conversation ${where} as soon as ${words.name} leaves it. There, type`,
    `${forSession(words.switchTo, session)}; or ${words.leave} and \`${forSession(words.resume, session)}\`.`,
    'If you send a prompt before that, the conversation and the files stay as they are now.',
  ]
}

/** What became of an agent under `retake claude`. Where it stays open, `pendingHelp` follows. */
export function reopenText(reopen: Reopen, to: TurnName | null, words: AgentWords): string {
  const where = to === null ? 'with an empty conversation' : `at turn ${nameOf(to)}`
  switch (reopen.state) {
    case 'reopened':
      return `${words.name} reopened ${where}.`
    case 'soon':
      return `${words.name} reopens ${where} as soon as it is idle.`
    case 'asks':
      return `${words.name} asks in its terminal before it reopens ${where}: its input box may hold text.`
    case 'stays':
      return `${words.name} was not reopened: ${WHY_NOT[reopen.why]}.`
  }
}

const WHY_NOT: Record<ReopenRefusal, string> = {
  background: 'commands that it runs in the background would end',
  busy: 'it is at work',
  arguments: 'it cannot be restarted with the options it was started with',
  'not-ended': 'it did not end when asked to',
  'not-moved': 'the conversation could not be moved',
  'not-started': 'it did not start again',
}

export function settledText(settled: SettledMove): string {
  if (settled.kind === 'moved') {
    const to = settled.to === null ? 'begins anew' : `goes on after turn ${nameOf(settled.to)}`
    return `The conversation that was pending has been moved: it ${to}.`
  }
  const files = settled.files.length === 0 ? '' : ` Reverted for good: ${listed(settled.files)}.`
  return `The conversation went on after operation ${settled.operation}, so it was not moved.${files}`
}

function listed(files: readonly string[]): string {
  return files.length > 5 ? count(files.length, 'file') : files.join(', ')
}

function nameOf({ id, number }: TurnName): string {
  return number === null ? id.slice(0, 8) : String(number)
}
