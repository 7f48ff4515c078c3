import type { RunEvent, RunOutcome } from '#timeline'
import { objectOf, type Params } from './rpc.ts'
import { readStep, resultEvent, textOf, toolEvent } from './run-items.ts'

/** Turns a notification of the app server into events for the user; most produce none. */
export function readNotification(method: string, params: Params): RunEvent[] {
  switch (method) {
    case 'item/agentMessage/delta':
      return [{ type: 'text', text: textOf(params['delta']), by: null }]
    case 'item/reasoning/textDelta':
    case 'item/reasoning/summaryTextDelta':
      return [{ type: 'thinking', text: textOf(params['delta']), by: null }]
    case 'item/started': {
      const step = readStep(objectOf(params['item']))
      return step === null ? [] : [toolEvent(step)]
    }
    case 'item/completed': {
      const item = objectOf(params['item'])
      return readStep(item) === null ? [] : [resultEvent(item)]
    }
    case 'error': {
      const message = textOf(objectOf(params['error'])['message'])
      return params['willRetry'] === true ? [retryOf(message)] : []
    }
    default:
      return []
  }
}

/** As “Reconnecting... 2/5”. */
function retryOf(message: string): RunEvent {
  const [, attempt = '1', attempts = '1'] = /(\d+)\/(\d+)/.exec(message) ?? []
  return {
    type: 'retry',
    attempt: Number(attempt),
    attempts: Number(attempts),
    waitMs: 0,
    status: null,
  }
}

/** How the turn ended. */
export function readOutcome(turn: Params, emit: (event: RunEvent) => void): RunOutcome {
  if (turn['status'] === 'completed') return 'done'
  if (turn['status'] === 'interrupted') return 'interrupted'
  const message = textOf(objectOf(turn['error'])['message']) || 'The turn failed.'
  emit({ type: 'error', code: 'turn-failed', message })
  return 'failed'
}
