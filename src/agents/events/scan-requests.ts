import {
  listDirectory,
  makePrivateDirectory,
  nameBytes,
  readOwnFile,
  removeIfExists,
  type Disk,
} from '#disk'
import { signalReaches } from './signal-reaches.ts'

/**
 * How a hook requests a scan without starting a Retake process. While a server watches a session's
 * project, `looks/SESSION` holds its pid and the directory. A hook in that directory creates
 * `looks/SESSION.PID` and waits. The server removes that file when all file changes up to then are
 * recorded. A hook whose wait times out removes both files and scans by itself: a server that hangs
 * delays one hook, once. Without a server, a process that scanned for a hook stays for a while and
 * does the same for its session.
 */
export interface ScanRequests {
  readonly directory: string
  /** The open requests of these sessions. */
  asked(sessions: ReadonlySet<string>): ScanRequest[]
  answer(requests: readonly ScanRequest[]): void
  /** From now on, this process answers requests of this session. A server takes over from others. */
  offer(session: string, project: string): void
  /** Keeps offers of other processes. */
  withdraw(session: string): void
  /** Which process answers the requests of a session, if it still runs. */
  offeredBy(session: string): 'nobody' | 'us' | 'another'
}

export interface ScanRequest {
  readonly session: string
  readonly file: string
}

const NAME = /^(?<session>[0-9A-Za-z_-]+)(?:\.\d+)?$/

/**
 * Only for the one server of a machine: removes leftovers, and takes over what other processes offer.
 * Two that scan the same project would wait for each other's lock.
 */
export function openScanRequests(disk: Disk, state: string): ScanRequests {
  const requests = makeScanRequests(disk, state, true)
  for (const { name } of listDirectory(requests.directory))
    if (NAME.test(name)) removeIfExists(disk, nameBytes(`${requests.directory}/${name}`))
  return requests
}

/** For a process that answers one session, next to others. */
export function joinScanRequests(disk: Disk, state: string): ScanRequests {
  return makeScanRequests(disk, state, false)
}

function makeScanRequests(disk: Disk, state: string, takesOver: boolean): ScanRequests {
  const directory = makePrivateDirectory(disk, state, ['looks'])
  const remove = (name: string): void =>
    void removeIfExists(disk, nameBytes(`${directory}/${name}`))
  const offeredBy = (session: string): ReturnType<ScanRequests['offeredBy']> => {
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
      const by = offeredBy(session)
      if (!NAME.test(session) || by === 'us' || (by === 'another' && !takesOver)) return
      // Not the name of a request. Renamed into place, so that no hook finds the session without one.
      const made = `.offer.${process.pid}`
      remove(made)
      const file = disk.create(nameBytes(`${directory}/${made}`), 0o600)
      try {
        disk.write(file, Buffer.from(`${process.pid} ${project}\n`))
      } finally {
        disk.close(file)
      }
      disk.rename(nameBytes(`${directory}/${made}`), nameBytes(`${directory}/${session}`))
    },
    withdraw(session) {
      if (offeredBy(session) === 'us') remove(session)
    },
    offeredBy,
  }
}
