import type { RunEvent } from '#timeline'

/** Everything a run has told, for who comes late or comes back, and for who listens now. */
export interface RunLog {
  readonly events: readonly RunEvent[]
  add(event: RunEvent): void
  /** Calls with every event from number `from` on, then with each new one. */
  follow(from: number, listener: (event: RunEvent, number: number) => void): () => void
}

export function openRunLog(): RunLog {
  const events: RunEvent[] = []
  const listeners = new Set<(event: RunEvent, number: number) => void>()
  return {
    events,
    add(event) {
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
