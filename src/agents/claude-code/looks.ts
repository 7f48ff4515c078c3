import { listDirectory, makePrivateDirectory, nameBytes, removeIfThere, type Disk } from '#disk'

/**
 * How a hook gets a look at the files without starting a process of Retake. While a server watches
 * where a session works, `looks/SESSION` holds the number of its process and the directory. A hook of
 * that directory makes `looks/SESSION.PID` and waits; the server removes that file when everything that had happened to
 * the files until then is noted. A hook that waits in vain removes both, and looks by itself: a
 * server that hangs holds up one hook, once.
 */
export interface Looks {
  readonly directory: string
  /** What hooks of these sessions wait for. */
  asked(sessions: ReadonlySet<string>): LookRequest[]
  answer(requests: readonly LookRequest[]): void
  /** From now on requests of this session are answered. */
  offer(session: string, project: string): void
  withdraw(session: string): void
}

export interface LookRequest {
  readonly session: string
  readonly file: string
}

const NAME = /^(?<session>[0-9A-Za-z_-]+)(?:\.\d+)?$/

/** Only by the one server of a machine: what another one left behind is removed. */
export function openLooks(disk: Disk, state: string): Looks {
  const directory = makePrivateDirectory(disk, state, ['looks'])
  const remove = (name: string): void => void removeIfThere(disk, nameBytes(`${directory}/${name}`))
  for (const { name } of listDirectory(directory)) if (NAME.test(name)) remove(name)
  return {
    directory,
    asked: (sessions) =>
      listDirectory(directory).flatMap(({ name }) => {
        const session = NAME.exec(name)?.groups?.['session']
        return session === undefined || session === name || !sessions.has(session)
          ? []
          : [{ session, file: name }]
      }),
    answer(requests) {
      for (const { file } of requests) remove(file)
    },
    offer(session, project) {
      const path = nameBytes(`${directory}/${session}`)
      if (!NAME.test(session) || disk.stat(path) !== null) return
      const file = disk.create(path, 0o600)
      try {
        disk.write(file, Buffer.from(`${process.pid} ${project}\n`))
      } finally {
        disk.close(file)
      }
    },
    withdraw: remove,
  }
}
