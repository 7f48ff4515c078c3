import {
  keepLent,
  keepProject,
  observeProject,
  openMachine,
  openProject,
  stayToLook,
  takeEvents,
} from '#engine'
import { readEnvironment } from './environment.ts'
import { reportFailure } from './report-failure.ts'

/** What hooks say where a step begins or ends, and not a prompt, a subagent or the session. */
const STEP = 'step'

/**
 * `observe [SESSION [step]]` looks at the files of this directory, for a hook, and is nothing else:
 * hooks start it around every step of an agent, beside whose own work it must not show. The
 * transcripts are kept too, but not around steps: the agent still writes, and more looks come.
 * False where other words are given; then nothing has happened.
 */
export async function run([, session, occasion, ...more]: readonly string[]): Promise<boolean> {
  if (session?.startsWith('-') || occasion?.startsWith('-') || more.length > 0) return false
  const { places } = readEnvironment(process.env, {})
  using machine = openMachine(places, {
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
  })
  const look = (): string | null => {
    using project = openProject(machine, places.cwd)
    takeEvents(machine, project, session)
    observeProject(machine, project, session === undefined ? [] : [session])
    keepLent(machine, project, { session, atStep: occasion === STEP })
    if (occasion !== STEP) keepProject(machine, places.cwd)
    return occasion === STEP ? places.cwd : null
  }
  try {
    const path = look()
    if (path !== null) await stayToLook(machine, path, session!)
  } catch (error) {
    process.exitCode = reportFailure(error, false)
  }
  return true
}
