import type { Recovered, Running } from '#journal'
import type { Command } from '#protocol'
import type { ReceiptReport } from '#timeline'
import type { Machine } from '../ground/index.ts'
import {
  planOperation,
  planResolved,
  stalePlan,
  type More,
  type Planned,
  type PlannedOperation,
} from '../plan/index.ts'
import { openProject, openProjectOrGone, type Project } from '../project/index.ts'
import {
  readSession,
  waitForCaller,
  waitForRows,
  type CommandOptions,
  type Inside,
  type ReadSession,
} from '../session/index.ts'
import { isSupervised } from '../supervise/index.ts'
import { applyOperation, recoverProject } from './apply-operation.ts'
import { commandAfterStop } from './command-after-stop.ts'
import { reopenLater, reopenSupervised } from './reopen.ts'
import { settleMoves, type SettledMove } from './settle-moves.ts'
import { stopTurn } from './stop-turn.ts'

/** How to open a session for a change. */
export interface Caller {
  /** Set if the agent of this session runs the command. */
  readonly inside?: Inside | undefined
  /** Accept a session whose project is gone: its conversation can still move. */
  readonly orGone?: boolean
  /** Called with each operation that a crashed process left behind, and how it ended. */
  readonly onRecovered?: (recovered: Recovered) => void
  /** Called with each pending move that was settled. */
  readonly onSettled?: (settled: SettledMove) => void
  readonly running?: Running
  /** Stop a running turn, if the agent can be started again. */
  readonly stop?: boolean
}

/** A session open for changes: the only way from a command to a receipt. */
export interface SessionChange extends Disposable {
  readonly session: ReadSession
  readonly project: Project
  plan(command: Command, more?: More): Promise<Planned>
  /** Plans again with the user's choices; fails if the shown plan is out of date. */
  decide(
    shown: PlannedOperation,
    decided: Pick<CommandOptions, 'choices' | 'confirmed'>,
  ): Promise<Planned>
  apply(planned: PlannedOperation, running?: Running): Promise<ReceiptReport>
}

/** Under `retake claude` the agent follows at once; the receipt says so only after it has. */
async function reopening(
  machine: Machine,
  project: Project,
  receipt: ReceiptReport,
  inside: Inside | undefined,
): Promise<ReceiptReport> {
  const { conversation, session } = receipt
  if (conversation !== 'pending' || !isSupervised(machine, session)) return receipt
  if (inside !== undefined) {
    // A prompt's hook process ends soon, so wait for it; an MCP server lives as long as the agent.
    reopenLater(machine, session, inside.kind === 'prompt' ? process.pid : null)
    return { ...receipt, reopen: { state: 'soon' } }
  }
  const reopen = await reopenSupervised(machine, project, session)
  if (reopen === null) return receipt
  return { ...receipt, ...(reopen.state === 'reopened' ? { conversation: 'moved' } : {}), reopen }
}

/**
 * Opens a session to change it. Before anything new is planned, it recovers interrupted operations,
 * settles pending moves, and waits until the calling turn, or one that has just ended, is in the
 * transcript.
 */
export async function openForChange(
  machine: Machine,
  id: string,
  caller: Caller = {},
): Promise<SessionChange> {
  const wanted = { session: id, project: null }
  const { inside, running } = caller
  const { project: path, id: full } = readSession(machine, wanted).report
  using opening = new DisposableStack()
  const open = caller.orGone === true ? openProjectOrGone : openProject
  const project = opening.use(open(machine, path))
  const stopped = caller.stop === true ? await stopTurn(machine, full) : null
  if (stopped !== null) opening.use(stopped.agent)
  for (const each of await recoverProject(machine, project, running)) caller.onRecovered?.(each)
  for (const each of await settleMoves(machine, project, { session: id })) caller.onSettled?.(each)
  await (inside === undefined ? waitForRows(machine, full) : waitForCaller(machine, id, inside))
  const session = readSession(machine, wanted, project)
  const from = inside === undefined ? {} : { inside }
  // The stopped turn is in the transcript, so the command never becomes null.
  const meant = (command: Command): Command =>
    stopped === null ? command : (commandAfterStop(command, stopped.turn, session) ?? command)
  const opened = opening.move()
  return {
    session,
    project,
    plan: (command, more) =>
      planOperation(machine, project, wanted, meant(command), { ...more, ...from }),
    async decide(shown, decided) {
      const again = await planResolved(machine, project, wanted, {
        asked: shown.asked,
        how: { ...shown.how, ...decided, ...from },
      })
      if (again.kind !== 'planned') return again
      if (again.world !== shown.world) throw stalePlan(shown, again)
      return { ...again, request: shown.request }
    },
    async apply(planned, watched) {
      // A turn plans with one tool call and applies with another; the latter counts.
      const asked = inside === undefined ? planned : { ...planned, how: { ...planned.how, inside } }
      const receipt = await applyOperation(machine, project, asked, watched)
      if (stopped === null) return reopening(machine, project, receipt, inside)
      return { ...receipt, reopen: await stopped.agent.reopen(receipt.prompt) }
    },
    [Symbol.dispose]: () => opened.dispose(),
  }
}
