import { claudeCode } from '#agents'
import { watchDirectory } from '#disk'
import { Failure } from '#failure'
import { lastLook, takeWriter } from '#store'
import { hooksInstalled } from './install.ts'
import type { Machine } from './machine.ts'
import { watchProject } from './observe-project.ts'
import { openProject } from './open-project.ts'

/**
 * Looks at the files of the projects in which agents work now, when a hook tells of a step and when
 * files change. Only where Retake's hooks are in: that is how users say that they want it. A look
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
  const { claudeConfig, state } = machine.places
  const watched = new Map<string, Watched>()
  const spool = watchDirectory(claudeCode.spoolDirectory(state), () => {
    for (const each of watched.values()) each.lookSoon(AFTER_HOOK)
  })
  return {
    follow() {
      const live = new Set(
        claudeCode
          .findLiveProcesses(claudeConfig)
          .flatMap(({ cwd }) =>
            cwd !== null && hooksInstalled(claudeConfig, cwd) !== 'none' ? [cwd] : [],
          ),
      )
      for (const [path, each] of watched)
        if (!live.has(path)) {
          each[Symbol.dispose]()
          watched.delete(path)
        }
      for (const path of live) {
        if (watched.has(path) || watched.size >= MOST) continue
        const each = tryWatch(machine, path, tell)
        if (each !== null) watched.set(path, each)
      }
    },
    [Symbol.dispose]() {
      spool?.[Symbol.dispose]()
      for (const each of watched.values()) each[Symbol.dispose]()
      watched.clear()
    },
  }
}

interface Watched extends Disposable {
  lookSoon(milliseconds: number): void
}

/** Null for a project that is not looked at, such as a home directory. */
function tryWatch(machine: Machine, path: string, tell: Tell): Watched | null {
  try {
    return watchOne(machine, path, tell)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    tell({ notWatched: path, code: error.code })
    return null
  }
}

function watchOne(machine: Machine, path: string, tell: Tell): Watched {
  const made = new DisposableStack()
  try {
    const project = made.use(openProject(machine, path))
    const observer = made.use(watchProject(machine, project, { onChange: () => lookSoon(QUIET) }))
    let timer: NodeJS.Timeout | null = null
    let looking: Promise<void> = Promise.resolve()
    let isOver = false
    let since = 0

    const look = async (): Promise<void> => {
      try {
        // In the middle of an operation a file is not there for a moment. Nobody may note that, so
        // a look waits for it; only the very first one, which takes long, holds nobody up.
        if (lastLook(project.store) === null) return await observer.observe()
        const writer = await takeWriter(project.store, { wait: 0 })
        try {
          await observer.observe()
        } finally {
          writer.release()
        }
      } catch (error) {
        const code = error instanceof Failure ? error.code : 'internal-error'
        if (code === 'project-locked') return lookSoon(QUIET)
        tell({ notObserved: path, code })
      }
    }
    function lookSoon(milliseconds: number): void {
      if (isOver) return
      if (timer === null) since = performance.now()
      else if (performance.now() - since > LONGEST_WAIT) return
      else clearTimeout(timer)
      timer = setTimeout(() => {
        timer = null
        looking = looking.then(() => (isOver ? undefined : look()))
      }, milliseconds)
      timer.unref()
    }
    lookSoon(0)
    return {
      lookSoon,
      [Symbol.dispose]() {
        isOver = true
        if (timer !== null) clearTimeout(timer)
        void looking.finally(() => made.dispose())
      },
    }
  } catch (error) {
    made.dispose()
    throw error
  }
}
