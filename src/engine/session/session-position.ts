import { setTimeout } from 'node:timers/promises'
import type { LiveProcess } from '#agents'
import { Failure } from '#failure'
import { buildTree, type TurnId, shortId } from '#timeline'
import { findLiveProcesses, type Machine } from '../ground/index.ts'
import type { PendingMove, Project } from '../project/index.ts'
import { findOpenMove } from './pending-move.ts'
import { readSession, type ReadSession } from './read-session.ts'
import type { Inside } from './request.ts'
import { readKnownOfTree } from './session-marks.ts'
import { runsInBackground } from '../witness/index.ts'

/**
 * The place of a session, as the planner sees it. The transcript only says where the agent is; a
 * pending move, or a running turn that issues the command, changes the place.
 */
export interface SessionPosition {
  /** As it will be once the pending move is done, without the running turn. */
  readonly session: ReadSession
  /** Where the agent is. */
  readonly head: TurnId | null
  readonly pending: PendingMove | null
  /** Processes that have the session open. */
  readonly live: readonly LiveProcess[]
  /** The running turn that issued the command. */
  readonly running: TurnId | null
  /** A `!` command issued it, and no row of that is written yet. */
  readonly byShell: boolean
  /** A command of the session runs in the background, such as a development server. */
  readonly runsShell: boolean
}

export function findPosition(
  machine: Machine,
  project: Project,
  session: ReadSession,
  inside: Inside | undefined,
): SessionPosition {
  const { open, report, tree } = session
  const live = liveProcesses(machine, report.id)
  const running = checkIdle(session, live, inside)
  const pending = findOpenMove(project.store, session)
  const parent = running === null ? null : (tree.turns.get(running)?.parent ?? null)
  const head = pending !== null ? pending.target : running !== null ? parent : tree.head
  const turns = open.conversation.turns.map(({ turn }) => turn)
  const known = { ...readKnownOfTree(project.store, report.id), tip: tipOf(pending) ?? tree.head }
  return {
    session:
      head === tree.head ? session : { ...session, tree: buildTree(report.id, turns, head, known) },
    head: tree.head,
    pending,
    live,
    running,
    byShell: inside?.kind === 'turn' && running === null,
    // While the agent runs this command, its registry says only that it is busy.
    runsShell:
      live.some(({ runsShell }) => runsShell) ||
      (live.length > 0 && runsInBackground(machine, report.id)),
  }
}

/** A pending switch decides which line redo follows. */
function tipOf(pending: PendingMove | null): TurnId | null {
  return pending === null ? null : pending.tip
}

export function liveProcesses(machine: Machine, session: string): LiveProcess[] {
  return findLiveProcesses(machine).filter((process) => process.session === session)
}

/** How long an agent may take to let go of a session that it leaves. */
const LEAVING_MS = 10_000

/** Waits until no process has the session open, or for ten seconds. */
export async function untilLeft(machine: Machine, session: string): Promise<void> {
  for (const end = performance.now() + LEAVING_MS; performance.now() < end; await setTimeout(50))
    if (liveProcesses(machine, session).length === 0) return
}

/** The session that an agent's process has open now. */
export function findCaller(machine: Machine, pid: number): string | null {
  return findLiveProcesses(machine).find((process) => process.pid === pid)?.session ?? null
}

/**
 * Waits until the agent has written the turn that issued the command, or the answer before it: rows
 * land some milliseconds after hooks and tools are called. After two seconds it gives up, and
 * planning fails with `session-busy`.
 */
export async function waitForCaller(
  machine: Machine,
  session: string,
  inside: Inside,
): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const read = readSession(machine, { session, project: null })
    try {
      checkIdle(read, liveProcesses(machine, session), inside)
      return
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
    await setTimeout(50)
  }
}

/**
 * Refuses to move files under a working agent (sem.C8), unless its own turn issued the command.
 * Returns that turn; null if the agent is idle, or if the command is no turn yet.
 */
function checkIdle(
  { open, report, tree }: ReadSession,
  live: readonly LiveProcess[],
  inside: Inside | undefined,
): TurnId | null {
  const busy = live.find(({ status }) => status === 'busy')
  const hasAgents = ({ startedAt: since }: LiveProcess): boolean =>
    open.hasRunningAgents({ since, asking: null })
  if (inside !== undefined && live.length > 0) {
    const call = inside.kind === 'turn' ? inside.call : null
    const found = inside.kind === 'turn' ? open.findRunningTurn(call) : null
    const asking = found === tree.head ? found : null
    // If every prompt was answered, only this command keeps the agent busy.
    const isAlone = asking !== null || (call === null && open.isAnswered())
    const since = Math.min(...live.map(({ startedAt }) => startedAt))
    if (isAlone && !open.hasRunningAgents({ since, asking })) return asking
    throw new Failure('session-busy', 'The agent is working in this session.', {
      hint: 'Wait until it is done, then try again.',
    })
  }
  // A background shell does not count as work; a background agent does.
  const shell = live.find(({ runsShell }) => runsShell)
  if (shell !== undefined && hasAgents(shell)) throw atWork(report.id, shell)
  if (busy === undefined) return null
  throw atWork(report.id, busy)
}

function atWork(session: string, { pid }: LiveProcess): Failure {
  return new Failure(
    'session-busy',
    `The agent is working in session ${shortId(session)} (process ${pid}).`,
    { hint: 'Wait until it is done, or stop it, then try again.' },
  )
}
