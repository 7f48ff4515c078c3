import type { Socket } from 'node:net'

/** The limit for connections that have not shown a token yet. */
const MAX_STRANGERS = 128

/**
 * Keeps room for the owner. Any program on the machine can open connections and send nothing. If
 * there are too many of those, the oldest is closed, so that a new one has time to show its token.
 * Connections that have shown a token are never closed for this reason.
 */
export interface Connections {
  enter(socket: Socket): void
  /** The connection has shown a token. */
  welcome(socket: Socket, browser: string | null): void
  /** Closes the connections of a signed-out browser; null means all browsers. */
  closeOf(browser: string | null): void
  closeAll(): void
}

export function openConnections(): Connections {
  const strangers = new Set<Socket>()
  const guests = new Map<Socket, string | null>()
  return {
    enter(socket) {
      strangers.add(socket)
      socket.once('close', () => {
        strangers.delete(socket)
        guests.delete(socket)
      })
      for (const oldest of strangers) {
        if (strangers.size <= MAX_STRANGERS) break
        strangers.delete(oldest)
        oldest.destroy()
      }
    },
    welcome(socket, browser) {
      strangers.delete(socket)
      guests.set(socket, browser)
    },
    closeOf(browser) {
      for (const [socket, holder] of guests)
        if (holder !== null && (browser === null || holder === browser)) socket.destroy()
    },
    closeAll() {
      for (const socket of [...strangers, ...guests.keys()]) socket.destroy()
    },
  }
}
