import type { Reopen, ReopenRefusal } from '#timeline'

const WHY_NOT: Record<ReopenRefusal, string> = {
  background: 'commands that it runs in the background would end',
  busy: 'it is at work',
  arguments: 'it cannot be restarted with the options it was started with',
  'not-ended': 'it did not end when asked to',
  'not-moved': 'the conversation could not be moved',
  'not-started': 'it did not start again',
}

/** The state of an agent under `retake claude`, worded the same on every surface. */
export function reopenWords(
  reopen: Reopen,
  {
    agent,
    turn,
  }: { readonly agent: string; /** Null at the beginning. */ readonly turn: string | null },
): string {
  const where = turn === null ? 'with an empty conversation' : `at turn ${turn}`
  switch (reopen.state) {
    case 'reopened':
      return `${agent} reopened ${where}.`
    case 'soon':
      return `${agent} reopens ${where} as soon as it is idle.`
    case 'asks':
      return `${agent} asks in its terminal before it reopens ${where}: its input box may hold text.`
    case 'stays':
      return `${agent} was not reopened: ${WHY_NOT[reopen.why]}.`
  }
}
