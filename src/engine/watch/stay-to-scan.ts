import { joinScanRequests } from '#agents'
import { getPriority, setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { nameBytes, removeIfExists, statPath, watchDirectory } from '#disk'
import { Failure } from '#failure'
import { findLiveProcesses, keepProject, type Machine } from '../ground/index.ts'
import { tryWatch } from './watch-work.ts'

const MAX_IDLE_MS = 30_000
const TICK = 250
/** The priority, as a nice value, of a process that no hook waits to see started. */
const BELOW_AGENT = 5
/** A hook that read the offer before it was withdrawn may still send a request. */
const LAST_REQUEST = 50

/** Hooks that asked before this scan need no other one. */
export function answeringScanRequests<T>(machine: Machine, session: string, scan: () => T): T {
  const requests = joinScanRequests(machine.disk, machine.places.state)
  const asked = requests.asked(new Set([session]))
  const result = scan()
  requests.answer(asked)
  return result
}

/**
 * Scans on behalf of one session's hooks, as a server does: a hook waits for a scan before a
 * command, and most of a scan's cost is starting a process. Ends when the agent has been idle for
 * half a minute or is gone, a server has taken over, or the hooks were removed. The project must not
 * already be open in this process.
 */
export async function stayToScan(machine: Machine, path: string, session: string): Promise<void> {
  const { state } = machine.places
  const requests = joinScanRequests(machine.disk, state)
  if (requests.offeredBy(session) !== 'nobody') return
  beLowerThanAgent()
  using made = new DisposableStack()
  const watched = tryWatch(machine, path, () => requests, () => {}) // prettier-ignore
  if (watched === null) return
  made.use(watched)
  const sessions = new Set([session])
  watched.attend(new Map([[session, path]]))
  let asked = performance.now()
  const watch = watchDirectory(requests.directory, () => {
    if (requests.asked(sessions).length > 0) asked = performance.now()
    watched.scanIfAsked()
  })
  if (watch === null) return
  made.use(watch)

  const due = nameBytes(`${state}/look.${session}.due`)
  const isThere = (): boolean => {
    const own = findLiveProcesses(machine).filter((each) => each.session === session)
    // During a turn, the next command may come at any moment.
    if (own.some(({ status }) => status === 'busy')) busy = performance.now()
    return own.length > 0
  }
  let busy = asked
  let kept = asked
  // While the agent rewrites its status, it is missing for a moment: only a second miss counts.
  for (let missed = 0; missed < 2; missed = isThere() ? 0 : missed + 1) {
    await setTimeout(TICK)
    const quiet = performance.now() - asked
    const idle = performance.now() - Math.max(asked, busy)
    if (idle > MAX_IDLE_MS || requests.offeredBy(session) === 'another') break
    if (statPath(`${state}/observe`) === null) return
    // Left by a hook that ran before the offer, or whose wait timed out.
    if (removeIfExists(machine.disk, due)) {
      asked = performance.now()
      watched.scanNow()
    }
    // A request does not give its reason, and at a prompt the transcripts are kept too.
    if (kept !== asked && quiet > TICK) {
      kept = asked
      keepIfPossible(machine, path)
    }
  }
  requests.withdraw(session)
  await setTimeout(LAST_REQUEST)
  keepIfPossible(machine, path)
}

/** The hook of a prompt waits for the first scan, so it starts at the agent's own priority. */
function beLowerThanAgent(): void {
  if (getPriority() < BELOW_AGENT) setPriority(BELOW_AGENT)
}

/** A vault that cannot be written must not end the scans. */
function keepIfPossible(machine: Machine, path: string): void {
  try {
    keepProject(machine, path)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}
