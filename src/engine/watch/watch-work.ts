import { openScanRequests, spoolDirectory, type ScanRequests } from '#agents'
import { watchDirectory } from '#disk'
import { Failure } from '#failure'
import { lastScan, takeWriter } from '#store'
import { hooksInstalled } from '../hooks/index.ts'
import { projectRoot, type Machine } from '../ground/index.ts'
import { isGitAtRisk } from '../storage/index.ts'
import { copyBorrowedEarly, takeEvents, watchProject } from '../witness/index.ts'
import { openProject } from '../project/index.ts'

/**
 * Scans the projects in which agents are working: when a hook requests a scan and waits, when a
 * hook reports a step, and when files change. Only where Retake's hooks are installed: that is how
 * users opt in. A scan's cost depends on what changed, so Retake can afford one more before every
 * query.
 */
export interface WorkWatch extends Disposable {
  /** Call this when agents start or exit. */
  follow(): void
}

type Tell = (said: Readonly<Record<string, unknown>>) => void

const MAX_WATCHED_PROJECTS = 8
const AFTER_HOOK = 30
const QUIET = 250
/** A hook is waiting, and another process has the lock. */
const LOCKED_MS = 20
/** Scan after this long even if files keep changing, as in an endless build. */
const MAX_DELAY_MS = 2000

export function watchWork(machine: Machine, tell: Tell): WorkWatch {
  const { state } = machine.places
  const made = new DisposableStack()
  const watched = new Map<string, Watched>()
  made.defer(() => {
    for (const each of watched.values()) each[Symbol.dispose]()
    watched.clear()
  })
  const listen = (directory: string, act: (each: Watched) => void): void => {
    const watch = watchDirectory(directory, () => {
      for (const each of watched.values()) act(each)
    })
    if (watch !== null) made.use(watch)
  }
  listen(spoolDirectory(state), (each) => each.scanAfterHook())
  let requests: ScanRequests | null = null
  const openRequests = (): ScanRequests => {
    if (requests !== null) return requests
    requests = openScanRequests(machine.disk, state)
    listen(requests.directory, (each) => each.scanIfAsked())
    return requests
  }
  return {
    follow() {
      const live = Map.groupBy(
        machine.agents.flatMap((agent) =>
          (agent.live() ?? []).filter(
            ({ cwd }) => cwd !== null && hooksInstalled(agent, cwd) !== 'none',
          ),
        ),
        // Agents in several directories of one repository share one tree.
        ({ cwd }) => projectRoot(machine, cwd!),
      )
      for (const [path, each] of watched)
        if (!live.has(path)) {
          each[Symbol.dispose]()
          watched.delete(path)
        }
      for (const [path, processes] of live) {
        if (!watched.has(path) && watched.size < MAX_WATCHED_PROJECTS) {
          const each = tryWatch(machine, path, openRequests, tell)
          if (each !== null) watched.set(path, each)
        }
        watched.get(path)?.attend(new Map(processes.map(({ session, cwd }) => [session, cwd!])))
      }
    },
    [Symbol.dispose]: () => made.dispose(),
  }
}

interface Watched extends Disposable {
  /** A hook wrote to the spool. */
  scanAfterHook(): void
  scanNow(): void
  /** Scans at once if a hook is waiting for it. */
  scanIfAsked(): void
  /** The sessions that are working there, each with its start directory. */
  attend(sessions: ReadonlyMap<string, string>): void
}

/** Null for a project that is not scanned, such as a home directory. */
export function tryWatch(
  machine: Machine,
  path: string,
  openScanRequests: () => ScanRequests,
  tell: Tell,
): Watched | null {
  try {
    return watchOne(machine, path, openScanRequests(), tell)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    tell({ notWatched: path, code: error.code })
    return null
  }
}

function watchOne(machine: Machine, path: string, requests: ScanRequests, tell: Tell): Watched {
  const made = new DisposableStack()
  try {
    const project = made.use(openProject(machine, path))
    const observer = made.use(
      watchProject(machine, project, { sessions: () => sessions, onChange: () => scanSoon(QUIET) }),
    )
    let timer: NodeJS.Timeout | null = null
    let isUrgent = false
    let answering: ReadonlySet<string> = new Set()
    let scanning: Promise<void> = Promise.resolve()
    let isOver = false
    let since = 0
    let starts: ReadonlyMap<string, string> = new Map()
    let sessions: ReadonlySet<string> = new Set()
    let canAnswer = false

    const observe = async (onUnchanged: () => void): Promise<void> => {
      // During an operation a file may be missing for a moment, so a scan needs the writer lock.
      // Only the very first scan goes without it: that one takes long and would block operations.
      if (lastScan(project.store) === null) return observer.observe()
      const writer = await takeWriter(project.store, { wait: 0 })
      try {
        await observer.observe(onUnchanged)
      } finally {
        writer.release()
      }
    }
    const scan = async (): Promise<void> => {
      isUrgent = false
      const asked = requests.asked(sessions)
      answering = new Set(asked.map(({ file }) => file))
      // Called early if nothing has changed: a hook need not wait until the scan is on disk.
      const answer = (): void => requests.answer(asked)
      try {
        const isAtRisk = asked.length > 0 && isGitAtRisk(machine, sessions)
        await observe(isAtRisk ? () => {} : answer)
        if (isAtRisk) copyBorrowedEarly(machine, project, 'any')
        answer()
        if (asked.length > 0 && !isAtRisk) copyBorrowedEarly(machine, project, 'small')
        // After the answer: a hook is waiting for it, and events are safe in the spool.
        for (const session of new Set(asked.map((each) => each.session)))
          takeEvents(machine, project, session)
        canAnswer = true
        offer()
      } catch (error) {
        const code = error instanceof Failure ? error.code : 'internal-error'
        if (code === 'project-locked') return scanSoon(asked.length > 0 ? LOCKED_MS : QUIET)
        canAnswer = false
        withdraw()
        tell({ notObserved: path, code })
      } finally {
        answering = new Set()
      }
    }
    const offer = (): void => {
      if (!canAnswer || isOver) return
      for (const [session, start] of starts) requests.offer(session, start)
    }
    const withdraw = (): void => {
      for (const session of sessions) requests.withdraw(session)
    }
    function scanSoon(milliseconds: number): void {
      // A hook is waiting, so the next scan is already due.
      if (isOver || isUrgent) return
      if (timer === null) since = performance.now()
      else if (performance.now() - since > MAX_DELAY_MS) return
      else clearTimeout(timer)
      timer = setTimeout(scanNow, milliseconds)
      timer.unref()
    }
    function scanNow(): void {
      if (timer !== null) clearTimeout(timer)
      timer = null
      scanning = scanning.then(() => (isOver ? undefined : scan()))
    }
    scanSoon(0)
    return {
      // Once scans are offered, hooks request those they need, so other spool events can wait.
      scanAfterHook: () => scanSoon(canAnswer ? QUIET : AFTER_HOOK),
      scanNow,
      scanIfAsked() {
        if (isUrgent || requests.asked(sessions).every(({ file }) => answering.has(file))) return
        isUrgent = true
        scanNow()
      },
      attend(next) {
        for (const session of sessions) if (!next.has(session)) requests.withdraw(session)
        starts = next
        sessions = new Set(next.keys())
        offer()
      },
      [Symbol.dispose]() {
        isOver = true
        withdraw()
        if (timer !== null) clearTimeout(timer)
        void scanning.finally(() => made.dispose())
      },
    }
  } catch (error) {
    made.dispose()
    throw error
  }
}
