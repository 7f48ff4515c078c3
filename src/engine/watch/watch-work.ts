import { openLooks, spoolDirectory, type Looks } from '#agents'
import { durableDisk, watchDirectory } from '#disk'
import { Failure } from '#failure'
import { lastLook, takeWriter } from '#store'
import { hooksInstalled } from '../hooks/index.ts'
import { projectRoot, type Machine } from '../ground/index.ts'
import { isGitAtRisk } from '../keeping/index.ts'
import { copyLent, takeEvents, watchProject } from '../witness/index.ts'
import { openProject } from '../project/index.ts'

/**
 * Looks at the files of the projects in which agents work now: when a hook asks for it and waits,
 * when one tells of a step, and when files change. Only where Retake's hooks are in: that is how users say that they want it. A look
 * costs what changed, so that one more comes before every question that somebody asks.
 */
export interface WorkWatch extends Disposable {
  /** Agents came or went. */
  follow(): void
}

type Tell = (said: Readonly<Record<string, unknown>>) => void

const MOST = 8
const AFTER_HOOK = 30
const QUIET = 250
/** A build that never ends is no reason never to look. */
const LONGEST_WAIT = 2000

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
  listen(spoolDirectory(state), (each) => each.lookAfterHook())
  let looks: Looks | null = null
  const answerLooks = (): Looks => {
    if (looks !== null) return looks
    looks = openLooks(durableDisk, state)
    listen(looks.directory, (each) => each.lookIfAsked())
    return looks
  }
  return {
    follow() {
      const live = Map.groupBy(
        machine.agents.flatMap((agent) =>
          (agent.live() ?? []).filter(
            ({ cwd }) => cwd !== null && hooksInstalled(agent, cwd) !== 'none',
          ),
        ),
        // Agents in several directories of one repository work on one tree.
        ({ cwd }) => projectRoot(machine, cwd!),
      )
      for (const [path, each] of watched)
        if (!live.has(path)) {
          each[Symbol.dispose]()
          watched.delete(path)
        }
      for (const [path, processes] of live) {
        if (!watched.has(path) && watched.size < MOST) {
          const each = tryWatch(machine, path, answerLooks, tell)
          if (each !== null) watched.set(path, each)
        }
        watched.get(path)?.attend(new Map(processes.map(({ session, cwd }) => [session, cwd!])))
      }
    },
    [Symbol.dispose]: () => made.dispose(),
  }
}

interface Watched extends Disposable {
  /** Something was put into the spool. */
  lookAfterHook(): void
  lookNext(): void
  /** At once, if a hook waits for it. */
  lookIfAsked(): void
  /** The sessions that work there now, each with the directory that it started in. */
  attend(sessions: ReadonlyMap<string, string>): void
}

/** Null for a project that is not looked at, such as a home directory. */
export function tryWatch(
  machine: Machine,
  path: string,
  openLooks: () => Looks,
  tell: Tell,
): Watched | null {
  try {
    return watchOne(machine, path, openLooks(), tell)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    tell({ notWatched: path, code: error.code })
    return null
  }
}

function watchOne(machine: Machine, path: string, looks: Looks, tell: Tell): Watched {
  const made = new DisposableStack()
  try {
    const project = made.use(openProject(machine, path))
    const observer = made.use(
      watchProject(machine, project, { sessions: () => sessions, onChange: () => lookSoon(QUIET) }),
    )
    let timer: NodeJS.Timeout | null = null
    let isUrgent = false
    let answering: ReadonlySet<string> = new Set()
    let looking: Promise<void> = Promise.resolve()
    let isOver = false
    let since = 0
    let starts: ReadonlyMap<string, string> = new Map()
    let sessions: ReadonlySet<string> = new Set()
    let canAnswer = false

    const observe = async (onUnchanged: () => void): Promise<void> => {
      // In the middle of an operation a file is not there for a moment. Nobody may note that, so
      // a look waits for it; only the very first one, which takes long, holds nobody up.
      if (lastLook(project.store) === null) return observer.observe()
      const writer = await takeWriter(project.store, { wait: 0 })
      try {
        await observer.observe(onUnchanged)
      } finally {
        writer.release()
      }
    }
    const look = async (): Promise<void> => {
      isUrgent = false
      const asked = looks.asked(sessions)
      answering = new Set(asked.map(({ file }) => file))
      // At once where nothing has changed: a hook need not wait until that is on the disk.
      const answer = (): void => looks.answer(asked)
      try {
        const isAtRisk = asked.length > 0 && isGitAtRisk(machine, sessions)
        await observe(isAtRisk ? () => {} : answer)
        if (isAtRisk) copyLent(machine, project, 'any')
        answer()
        if (asked.length > 0 && !isAtRisk) copyLent(machine, project, 'small')
        // Afterwards: a hook waits for the look, and an event in the spool is safe there.
        for (const session of new Set(asked.map((each) => each.session)))
          takeEvents(machine, project, session)
        canAnswer = true
        offer()
      } catch (error) {
        const code = error instanceof Failure ? error.code : 'internal-error'
        if (code === 'project-locked') return lookSoon(QUIET)
        canAnswer = false
        withdraw()
        tell({ notObserved: path, code })
      } finally {
        answering = new Set()
      }
    }
    const offer = (): void => {
      if (!canAnswer || isOver) return
      for (const [session, start] of starts) looks.offer(session, start)
    }
    const withdraw = (): void => {
      for (const session of sessions) looks.withdraw(session)
    }
    function lookSoon(milliseconds: number): void {
      // Somebody waits: that look is the next one.
      if (isOver || isUrgent) return
      if (timer === null) since = performance.now()
      else if (performance.now() - since > LONGEST_WAIT) return
      else clearTimeout(timer)
      timer = setTimeout(lookNext, milliseconds)
      timer.unref()
    }
    function lookNext(): void {
      if (timer !== null) clearTimeout(timer)
      timer = null
      looking = looking.then(() => (isOver ? undefined : look()))
    }
    lookSoon(0)
    return {
      // Whoever has been offered looks asks for those it needs; what is told besides is rare.
      lookAfterHook: () => lookSoon(canAnswer ? QUIET : AFTER_HOOK),
      lookNext,
      lookIfAsked() {
        if (isUrgent || looks.asked(sessions).every(({ file }) => answering.has(file))) return
        isUrgent = true
        lookNext()
      },
      attend(next) {
        for (const session of sessions) if (!next.has(session)) looks.withdraw(session)
        starts = next
        sessions = new Set(next.keys())
        offer()
      },
      [Symbol.dispose]() {
        isOver = true
        withdraw()
        if (timer !== null) clearTimeout(timer)
        void looking.finally(() => made.dispose())
      },
    }
  } catch (error) {
    made.dispose()
    throw error
  }
}
