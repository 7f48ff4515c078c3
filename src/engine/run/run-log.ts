import { holdsSecrets, type RunEvent } from '#timeline'

/** All events of a run, for listeners and for clients that connect late or reconnect. */
export interface RunLog {
  readonly events: readonly RunEvent[]
  add(event: RunEvent): void
  /** Calls the listener with every event from number `from` on, then with each new one. */
  follow(from: number, listener: (event: RunEvent, number: number) => void): () => void
}

export function openRunLog(): RunLog {
  const events: RunEvent[] = []
  const hide = openHiding()
  const listeners = new Set<(event: RunEvent, number: number) => void>()
  return {
    events,
    add(raw) {
      const event = hide(raw)
      events.push(event)
      for (const listener of listeners) listener(event, events.length - 1)
    },
    follow(from, listener) {
      for (let number = Math.max(0, from); number < events.length; number++)
        listener(events[number]!, number)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/**
 * Removes what a step reads or writes in a file that may hold secrets (S14). The user can still
 * reveal it in the finished turn.
 */
function openHiding(): (event: RunEvent) => RunEvent {
  const hidden = new Set<string>()
  return (event) => {
    if (event.type === 'tool_result' && hidden.has(event.id)) return { ...event, text: '' }
    if ((event.type !== 'tool' && event.type !== 'approval') || !holdsSecrets(event.about))
      return event
    if (event.type === 'tool') hidden.add(event.id)
    if (event.type === 'tool') return { ...event, input: null }
    const { hunks: _, pieces: __, command: ___, ...rest } = event
    return { ...rest, input: null }
  }
}
