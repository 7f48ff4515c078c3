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
  welcome(socket: Socket): void
  closeAll(): void
}

export function openConnections(): Connections {
  const strangers = new Set<Socket>()
  const guests = new Set<Socket>()
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
    welcome(socket) {
      if (strangers.delete(socket)) guests.add(socket)
    },
    closeAll() {
      for (const socket of [...strangers, ...guests]) socket.destroy()
    },
  }
}
