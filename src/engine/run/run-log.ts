import { holdsSecrets, type RunEvent } from '#timeline'

/** Everything a run has told, for who comes late or comes back, and for who listens now. */
export interface RunLog {
  readonly events: readonly RunEvent[]
  add(event: RunEvent): void
  /** Calls with every event from number `from` on, then with each new one. */
  follow(from: number, listener: (event: RunEvent, number: number) => void): () => void
}

export function openRunLog(): RunLog {
  const events: RunEvent[] = []
  const hide = openHiding()
  const listeners = new Set<(event: RunEvent, number: number) => void>()
  return {
    events,
    add(told) {
      const event = hide(told)
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
 * A step at a file that may hold secrets is told without what it writes or reads there (S14). The
 * turn shows it afterwards, to who asks.
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
