import type { EventView } from '#protocol'

type Unnumbered<Event> = Event extends { id: string } ? Omit<Event, 'id'> : never
export type NewEvent = Unnumbered<EventView>

/** Sends events to all listeners, and keeps the latest for clients that reconnect. */
export interface Feed {
  publish(event: NewEvent): void
  /** Sends an event only to current listeners. It is soon outdated, so it is never replayed. */
  say(event: NewEvent): void
  /**
   * First sends what happened after the event `after`, then everything as it comes. If that is no
   * longer known, sends `reset` instead: with an unnoticed gap, windows would show different
   * states.
   */
  subscribe(after: string | null, send: (event: EventView) => void): Disposable
  readonly clients: number
}

const KEPT = 1000

export function openFeed(start: string): Feed {
  const kept: EventView[] = []
  const listeners = new Set<(event: EventView) => void>()
  let count = 0
  const name = (n: number): string => `${start}-${n}`
  return {
    get clients() {
      return listeners.size
    },
    publish(event) {
      count += 1
      const numbered: EventView = { id: name(count), ...event }
      kept.push(numbered)
      if (kept.length > KEPT) kept.shift()
      for (const send of listeners) send(numbered)
    },
    say(event) {
      // Uses the previous event's id: a client that reconnects with it has missed nothing.
      for (const send of listeners) send({ id: name(count), ...event })
    },
    subscribe(after, send) {
      if (after !== null && after !== name(count)) {
        const place = kept.findIndex(({ id }) => id === after)
        const isFirst = after === name(0) && kept[0]?.id === name(1)
        if (place === -1 && !isFirst) send({ id: name(count), event: 'reset' })
        else for (const event of kept.slice(place + 1)) send(event)
      }
      listeners.add(send)
      return { [Symbol.dispose]: () => void listeners.delete(send) }
    },
  }
}
