import {
  listDirectory,
  makePrivateDirectory,
  nameBytes,
  readOwnFile,
  removeIfThere,
  type Disk,
} from '#disk'
import { signalReaches } from './signal-reaches.ts'

/**
 * How a hook gets a look at the files without starting a process of Retake. While a server watches
 * where a session works, `looks/SESSION` holds the number of its process and the directory. A hook of
 * that directory makes `looks/SESSION.PID` and waits; the server removes that file when everything
 * that had happened to the files until then is noted. A hook that waits in vain removes both, and
 * looks by itself: a server that hangs holds up one hook, once. Where there is no server, a process
 * that looked for a hook stays for a while and does the same for its session.
 */
export interface Looks {
  readonly directory: string
  /** What hooks of these sessions wait for. */
  asked(sessions: ReadonlySet<string>): LookRequest[]
  answer(requests: readonly LookRequest[]): void
  /** From now on requests of this session are answered. */
  offer(session: string, project: string): void
  /** Leaves what another process offers. */
  withdraw(session: string): void
  /** Who answers the requests of a session, if that process still runs. */
  offeredBy(session: string): 'nobody' | 'us' | 'another'
}

export interface LookRequest {
  readonly session: string
  readonly file: string
}

const NAME = /^(?<session>[0-9A-Za-z_-]+)(?:\.\d+)?$/

/** Only by the one server of a machine: what others left behind, or still offer, is removed. */
export function openLooks(disk: Disk, state: string): Looks {
  const looks = joinLooks(disk, state)
  for (const { name } of listDirectory(looks.directory))
    if (NAME.test(name)) removeIfThere(disk, nameBytes(`${looks.directory}/${name}`))
  return looks
}

/** For whoever answers one session, beside others. */
export function joinLooks(disk: Disk, state: string): Looks {
  const directory = makePrivateDirectory(disk, state, ['looks'])
  const remove = (name: string): void => void removeIfThere(disk, nameBytes(`${directory}/${name}`))
  const offeredBy = (session: string): ReturnType<Looks['offeredBy']> => {
    const offer = readOwnFile(disk, `${directory}/${session}`)?.toString('utf8') ?? ''
    const pid = Number(/^\d+(?= )/.exec(offer)?.[0] ?? 0)
    if (pid === process.pid) return 'us'
    return pid > 0 && signalReaches(pid) ? 'another' : 'nobody'
  }
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
      if (!NAME.test(session) || offeredBy(session) !== 'nobody') return
      const path = nameBytes(`${directory}/${session}`)
      // Of a process that was killed.
      removeIfThere(disk, path)
      const file = disk.create(path, 0o600)
      try {
        disk.write(file, Buffer.from(`${process.pid} ${project}\n`))
      } finally {
        disk.close(file)
      }
    },
    withdraw(session) {
      if (offeredBy(session) === 'us') remove(session)
    },
    offeredBy,
  }
}
