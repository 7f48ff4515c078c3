import type { SessionEvent } from '#agents'
import type { Machine } from '../ground/index.ts'

/** Watches the sessions of all agents together. */
export function watchSessions({ agents }: Machine): {
  directories(): string[]
  poll(directories: ReadonlySet<string>): SessionEvent[]
} {
  const watches = agents.map(({ sessions }) => sessions.watch())
  return {
    directories: () => watches.flatMap((each) => each.directories()),
    poll: (directories) => watches.flatMap((each) => each.poll(directories)),
  }
}
