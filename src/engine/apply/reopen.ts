import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspectProcess } from '#agents'
import type { Disk } from '#disk'
import { Failure } from '#failure'
import { getOperation } from '#store'
import { pastTense, reopenWords } from '#protocol'
import { shortId, type ReceiptReport, type Reopen, type TurnName } from '#timeline'
import { wordsOf, type Machine } from '../ground/index.ts'
import { dropReopenedNote, hasReopenedNote, noteForReopened } from '../hooks/index.ts'
import { leavesAreNoticed, turnName } from '../plan/index.ts'
import { openProject, type PendingMove, type Project } from '../project/index.ts'
import { findOpenMove, readPending, readSession } from '../session/index.ts'
import {
  askInTerminal,
  claimQuestion,
  END_MS,
  endAgent,
  findSupervised,
  mayHoldText,
  type Supervised,
  until,
} from '../supervise/index.ts'
import { receiptOf } from './receipt.ts'
import { settleMoves } from './settle-moves.ts'

/**
 * Closes an agent that runs under `retake claude` and reopens it at the pending move's target, with
 * the undone prompt in its input box. Null if the session is open elsewhere or nothing is pending;
 * the move then waits, as without `retake claude`.
 */
export async function reopenSupervised(
  machine: Machine,
  project: Project,
  session: string,
): Promise<Reopen | null> {
  const found = findSupervised(machine, session)
  if (found === null || readPending(project.store, session) === null) return null
  if (found.process.runsShell) return { state: 'stays', why: 'background' }
  if (found.process.status === 'busy') return { state: 'stays', why: 'busy' }
  if (mayHoldText(machine, found)) {
    reopenLater(machine, session, null)
    return { state: 'asks' }
  }
  return restart(machine, project, { session, found })
}

async function restart(
  machine: Machine,
  project: Project,
  { session, found }: { session: string; found: Supervised },
  onMoved: (done: ReceiptReport) => void = () => {},
): Promise<Reopen> {
  const pending = readPending(project.store, session)
  const ended = await endAgent(machine, found)
  if (!('reopen' in ended)) return ended
  using agent = ended
  const isMoved = pending !== null && (await moveNow(machine, project, session, pending))
  const done = isMoved ? receiptOfMove(project, pending) : null
  if (done !== null) onMoved(done)
  const reopen = await agent.reopen(done?.prompt ?? null)
  return isMoved || reopen.state !== 'reopened' ? reopen : { state: 'stays', why: 'not-moved' }
}

/** The agent's own hook, if installed, may have done it already: it gets a second and a half. */
async function moveNow(
  machine: Machine,
  project: Project,
  session: string,
  { target }: PendingMove,
): Promise<boolean> {
  try {
    await settleMoves(machine, project, { session })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  // A prompt sent at the last moment has voided the move.
  return readSession(machine, { session, project: null }, project).tree.head === target
}

function receiptOfMove({ store }: Project, { operation }: PendingMove): ReceiptReport | null {
  const done = getOperation(store, operation)
  return done === null ? null : receiptOf(done)
}

/**
 * Reopens from a detached process, if this one cannot wait: the agent waits for this process, or
 * the user has to be asked. `after` is the process that the agent waits for.
 */
export function reopenLater({ places }: Machine, session: string, after: number | null): void {
  const [runtime, ...script] = places.self
  const wait = after === null ? [] : ['--after', String(after)]
  spawn(runtime!, [...script, 'reopen', session, ...wait], {
    detached: true,
    stdio: 'ignore',
    cwd: '/',
  }).unref()
}

/** Poll interval while a turn is running. */
const POLL_MS = 250
/** Time for the agent to show its hook's answer before it is closed. */
const SHOWN_MS = 150

/** What `reopenLater` starts: waits for the calling process to end and for the agent to be idle. */
export async function reopenWhenIdle(
  machine: Machine,
  session: string,
  after: number | null,
): Promise<Reopen | null> {
  const reopen = await whenIdle(machine, session, after)
  if (reopen?.state !== 'reopened') dropReopenedNote(machine.disk, machine.places, session)
  return reopen
}

async function whenIdle(
  machine: Machine,
  session: string,
  after: number | null,
): Promise<Reopen | null> {
  if (after !== null) {
    await until(END_MS, () => inspectProcess(after) === null)
    await sleep(SHOWN_MS)
  }
  for (; ; await sleep(POLL_MS)) {
    const found = findSupervised(machine, session)
    if (found === null) return null
    if (found.process.status === 'busy') continue
    const read = readSession(machine, { session, project: null })
    using project = openProject(machine, read.report.project ?? machine.places.cwd)
    // A prompt sent instead has voided the move.
    const move = findOpenMove(project.store, read)
    if (move === null) return null
    if (found.process.runsShell) return { state: 'stays', why: 'background' }
    if (
      mayHoldText(machine, found) &&
      !(await isAgreed(machine.disk, found, turnName(read, move.target)))
    )
      return null
    // A hook shows it. Without hooks it would wait until some are installed.
    const tells =
      leavesAreNoticed(machine, read.report) && !hasReopenedNote(machine.places, session)
    return await restart(machine, project, { session, found }, (done) => {
      if (tells) noteReceipt(machine, done)
    })
  }
}

/** The receipt went to a screen that is now gone, or came before the agent was reopened. */
function noteReceipt(machine: Machine, done: ReceiptReport): void {
  const { session, to } = done
  const turn = to === null ? null : nameOf(to)
  const where = reopenWords({ state: 'reopened' }, { agent: wordsOf(machine, session).name, turn })
  noteForReopened(machine.disk, machine.places, session, `${pastTense(done)}. ${where}`)
}

function nameOf({ number, id }: TurnName): string {
  return String(number ?? shortId(id))
}

/** Asks only once, even if several processes want to. */
async function isAgreed(disk: Disk, found: Supervised, to: TurnName | null): Promise<boolean> {
  using claim = claimQuestion(disk, found)
  if (claim === null) return false
  const where = to === null ? 'with an empty conversation' : `at turn ${nameOf(to)}`
  return await askInTerminal(found, {
    announcement: ` Retake can reopen this session ${where}. `,
    text: ` Retake: Ctrl-R reopens ${where}, text in the box is lost; Esc stays here. `,
  })
}
