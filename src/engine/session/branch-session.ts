import { Failure, add, remedy, command } from '#failure'
import { findDone, getOperation, type DoneOperation } from '#store'
import { pathTo, type Ledger, type OperationId, type Plan, type TurnId } from '#timeline'
import type { SessionsPlan } from './conversation-plan.ts'
import {
  detailsOf,
  isAsked,
  type BranchSession,
  type OperationDetails,
  type Project,
} from '../project/index.ts'
import { refuseNewBranch } from './branch-limit.ts'
import { agentOf, type Machine } from '../ground/index.ts'
import { readSession, type ReadSession } from './read-session.ts'
import type { ResolvedCommand, CommandOptions } from './request.ts'
import { liveProcesses } from './session-position.ts'

/** The branch session that an operation makes or removes; null if there is none. */
export function planSessions(
  machine: Machine,
  { store }: Project,
  session: ReadSession,
  { asked, how, plan }: { asked: ResolvedCommand; how: CommandOptions; plan: Plan },
): SessionsPlan | null {
  if (asked.verb === 'branch') {
    if (how.only === 'files')
      throw new Failure(
        'usage',
        'A new branch is a conversation, so it cannot move only the files.',
      )
    return planNewSession(machine, session, { turn: asked.turn, title: asked.title, how })
  }
  if (plan.inverts === null || how.only === 'files') return null
  const known = branchOf(getOperation(store, Number(plan.inverts)))
  if (known === undefined) return null
  const { made, ...branch } = known
  // Undoing an op undo makes the session again, with its old id.
  return made ? takeAway(machine, session, branch) : branchAt(machine, session, branch)
}

/** A new session that continues after a turn. */
export function planNewSession(
  machine: Machine,
  session: ReadSession,
  { turn, title, how }: { turn: TurnId; title: string | null; how: CommandOptions },
): SessionsPlan {
  refuseNewBranch(machine, session)
  return branchAt(machine, session, {
    session: how.newSession ?? agentOf(machine, session.open).sessions.idFrom(machine.newId()),
    turn,
    title: title ?? `${session.report.title} (Branch)`,
  })
}

/** Whether an operation made or removed a branch session. */
export function isAboutSession({ store }: Project, operation: OperationId): boolean {
  return branchOf(getOperation(store, Number(operation))) !== undefined
}

function branchOf(operation: DoneOperation): OperationDetails['branch'] {
  return detailsOf(operation).branch
}

function branchAt(machine: Machine, session: ReadSession, branch: BranchSession): SessionsPlan {
  const { tree, open } = session
  const line = pathTo(tree.turns, branch.turn)
  const place = tree.places.get(branch.turn)
  const planned = open.moves.planBranch({
    ...branch,
    next: place === undefined ? null : (tree.line[place + 1] ?? null),
    number: line.length,
    at: machine.now(),
  })
  if (planned.kind === 'step') return { kind: 'branch', step: planned.step, branch }
  throw new Failure(
    planned.why,
    'The transcript of the conversation up to that turn is incomplete.',
    {
      hint: remedy`${command('log')} to see which parts are damaged.`,
    },
  )
}

/** Refuses a session that was continued: its new turns would be lost. */
function takeAway(machine: Machine, session: ReadSession, branch: BranchSession): SessionsPlan {
  const { open } = readSession(machine, { session: branch.session, project: null })
  const [live] = liveProcesses(machine, branch.session)
  if (live !== undefined || open.moves.wasContinued(session.open))
    throw new Failure(
      'branch-went-on',
      live === undefined
        ? `The branch session ${branch.session} was continued.`
        : `The branch session ${branch.session} is open in a running agent (process ${live.pid}).`,
      { hint: remedy`That session stays. ${add('only', 'files')} to undo only the file changes.` },
    )
  return { kind: 'unbranch', step: open.moves.planUnbranch(machine.newId()), branch }
}

/** Checks that a new branch session is at its turn, before the operation counts as done. */
export function verifySessions(machine: Machine, { kind, branch }: SessionsPlan): void {
  const { session, turn } = branch
  if (kind === 'unbranch') return
  const { tree } = readSession(machine, { session, project: null })
  if (tree.head === turn) return
  throw new Failure('move-not-seen', 'The branch session is not at the turn it should be at.', {
    hint: remedy`${command('op undo')} to undo the operation.`,
  })
}

/** The session this one was branched from, if that took out file changes that are still out. */
export function filesOutOf(
  { store }: Project,
  { report }: ReadSession,
  { cells }: Ledger,
): string | null {
  const branched = findDone(store, {}, (each) => {
    const branch = isAsked(each) ? detailsOf(each).branch : undefined
    return branch?.made === true && branch.session === report.id
  })
  if (branched === null) return null
  const { operation } = detailsOf(branched)
  const taken = new Set(operation.cells.map(({ after }) => after.id))
  const isOut = cells.some((cell) => taken.has(cell.id) && !cell.in && !cell.reverted)
  return isOut ? operation.session : null
}
