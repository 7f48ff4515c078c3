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
  type CommandOptions,
  type Inside,
  type ReadSession,
} from '../session/index.ts'
import { isSupervised, stopAgent } from '../supervise/index.ts'
import { applyOperation, recoverProject } from './apply-operation.ts'
import { reopenLater, reopenSupervised } from './reopen.ts'
import { settleMoves, type SettledMove } from './settle-moves.ts'

/** Who wants to change a session. */
export interface Caller {
  /** Set when the agent of this very session asks. */
  readonly inside?: Inside | undefined
  /** Also a session whose project is gone: its conversation can be moved. */
  readonly orGone?: boolean
  /** What a process that died had begun, and how it ended. */
  readonly onRecovered?: (recovered: Recovered) => void
  /** A move that waited for its time. */
  readonly onSettled?: (settled: SettledMove) => void
  readonly running?: Running
  /** Ends a turn that is running, where the agent can be started again. */
  readonly stop?: boolean
}

/** A session that may be changed: the only way from a wish to a receipt. */
export interface SessionChange extends Disposable {
  readonly session: ReadSession
  readonly project: Project
  plan(command: Command, more?: More): Promise<Planned>
  /** A plan that was shown, with what the user decided; refused when the plan is no longer true. */
  decide(
    shown: PlannedOperation,
    decided: Pick<CommandOptions, 'choices' | 'confirmed'>,
  ): Promise<Planned>
  apply(planned: PlannedOperation, running?: Running): Promise<ReceiptReport>
}

/** An agent under `retake claude` follows at once; a receipt says so after it has happened. */
async function reopening(
  machine: Machine,
  project: Project,
  receipt: ReceiptReport,
  inside: Inside | undefined,
): Promise<ReceiptReport> {
  const { conversation, session } = receipt
  if (conversation !== 'pending' || !isSupervised(machine, session)) return receipt
  if (inside !== undefined) {
    // The hook of a prompt ends at once; a server of tools lives as long as the agent.
    reopenLater(machine, session, inside.kind === 'prompt' ? process.pid : null)
    return { ...receipt, reopen: { state: 'soon' } }
  }
  const reopen = await reopenSupervised(machine, project, session)
  if (reopen === null) return receipt
  return { ...receipt, ...(reopen.state === 'reopened' ? { conversation: 'moved' } : {}), reopen }
}

/**
 * Opens a session to change it. What was interrupted is finished, what was waiting is settled and
 * the turn that asks is written down before anything new is planned.
 */
export async function openForChange(
  machine: Machine,
  id: string,
  caller: Caller = {},
): Promise<SessionChange> {
  const wanted = { session: id, project: null }
  const { inside, running } = caller
  const { project: path } = readSession(machine, wanted).report
  using opening = new DisposableStack()
  const open = caller.orGone === true ? openProjectOrGone : openProject
  const project = opening.use(open(machine, path))
  const ended = caller.stop === true ? await stopAgent(machine, id) : null
  if (ended !== null) opening.use(ended)
  for (const each of await recoverProject(machine, project, running)) caller.onRecovered?.(each)
  for (const each of await settleMoves(machine, project, { session: id })) caller.onSettled?.(each)
  if (inside !== undefined) await waitForCaller(machine, id, inside)
  const session = readSession(machine, wanted, project)
  const from = inside === undefined ? {} : { inside }
  const opened = opening.move()
  return {
    session,
    project,
    plan: (command, more) => planOperation(machine, project, wanted, command, { ...more, ...from }),
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
      // The call that applies is another one than the call that planned, of the same turn.
      const asked = inside === undefined ? planned : { ...planned, how: { ...planned.how, inside } }
      const receipt = await applyOperation(machine, project, asked, watched)
      if (ended === null) return reopening(machine, project, receipt, inside)
      return { ...receipt, reopen: await ended.reopen(receipt.prompt) }
    },
    [Symbol.dispose]: () => opened.dispose(),
  }
}
