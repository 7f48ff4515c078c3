import {
  answeringScanRequests,
  keepBorrowed,
  keepProject,
  observeProject,
  openMachine,
  openProject,
  stayToScan,
  takeEvents,
} from '#engine'
import { readEnvironment } from './environment.ts'
import { reportFailure } from './report-failure.ts'

/**
 * The occasions that hooks pass at the start and end of a step, and at a prompt. At the end of a
 * subagent or session they pass `all`, those of Codex none at a prompt.
 */
const STEP = 'step'
const PROMPT = 'prompt'

/**
 * `observe [SESSION [step|prompt|all]]` scans the files of this directory for a hook. Hooks start it
 * around every step of an agent, so it must not slow the agent down. Around steps it does not copy
 * transcripts: the agent is still writing them, and more scans follow. False, with nothing done,
 * for any other words.
 */
export async function run([, session, occasion, ...more]: readonly string[]): Promise<boolean> {
  if (session?.startsWith('-') || occasion?.startsWith('-') || more.length > 0) return false
  const { places } = readEnvironment(process.env, {})
  using machine = openMachine(places, {
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
  })
  const observe = (): string | null => {
    using project = openProject(machine, places.cwd)
    takeEvents(machine, project, session)
    observeProject(machine, project, session === undefined ? [] : [session])
    keepBorrowed(machine, project, { session, atStep: occasion === STEP })
    if (occasion !== STEP) keepProject(machine, places.cwd)
    return occasion === STEP || occasion === PROMPT ? places.cwd : null
  }
  try {
    const path =
      session === undefined ? observe() : answeringScanRequests(machine, session, observe)
    if (path !== null) await stayToScan(machine, path, session!)
  } catch (error) {
    process.exitCode = reportFailure(error, false)
  }
  return true
}
