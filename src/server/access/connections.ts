import type { Socket } from 'node:net'

/** Who has not shown the token yet shares this many connections. */
const MOST_STRANGERS = 128

/**
 * Keeps room for the owner. Any program on the machine can open connections and say nothing; when
 * there are too many such, the oldest goes, so that a new one has the time to show its token. Those
 * that have shown it are never put out.
 */
export interface Connections {
  enter(socket: Socket): void
  /** It has shown the token. */
  welcome(socket: Socket, browser: string | null): void
  /** Ends what a browser that was signed out still has open; null: any browser. */
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
        if (strangers.size <= MOST_STRANGERS) break
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
