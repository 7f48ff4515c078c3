import { nameBytes } from '#disk'
import { Failure, add, drop, remedy, command } from '#failure'
import type { PlannedStep } from '#store'
import { pathTo, type Place, type Plan, type TurnId } from '#timeline'
import {
  liveProcesses,
  planNewSession,
  type CommandOptions,
  type ConversationPlan,
  type ReadSession,
  type SessionPosition,
} from '../session/index.ts'
import { hooksInstalled } from '../hooks/index.ts'
import { agentOf, type Machine } from '../ground/index.ts'
import { isSupervised } from '../supervise/index.ts'

/** Whether the plan changes where this session continues, now or once the agent has left it. */
export function movesHead({ kind }: ConversationPlan): boolean {
  return kind === 'move' || kind === 'empty' || kind === 'pending' || kind === 'withdraw'
}

/** A running agent never rereads its transcript, so it would miss the move. */
export function refuseLive(machine: Machine, { report }: ReadSession): void {
  const [live] = liveProcesses(machine, report.id)
  if (live === undefined) return
  const { leave } = agentOf(machine, report).words
  throw new Failure(
    'session-live',
    `The session is open in a running agent (process ${live.pid}), which would not see the change.`,
    {
      hint: remedy`Leave it with ${leave} and try again, or ${add('only', 'files')} to move only the files, or ${command('branch', ['TURN'])} to start a new session. ${command('install')} so that the conversation follows automatically.`,
    },
  )
}

/** How the conversation follows the plan: now, once the agent has left, or not at all (sem.C2). */
export function planConversation(
  machine: Machine,
  standing: SessionPosition,
  plan: Plan,
  how: CommandOptions,
): ConversationPlan {
  if (how.only === 'files') return { kind: 'none' }
  const { notInPlace } = standing.session.open.moves
  const { session, live } = standing
  if (how.keepPrompt === true) {
    if (notInPlace !== null) throw onlyElsewhere(notInPlace)
    return keepPrompt(machine, standing, plan)
  }
  // `to.turn` is null if the operation to undo began with an empty conversation.
  const empties = plan.to.turn === null || (plan.to.beforeFirst && how.whole)
  if (empties && session.tree.head === null) return { kind: 'none' }
  if (plan.to.turn === session.tree.head && !empties) return { kind: 'none' }
  const goal = empties ? null : plan.to.turn
  if (isWhereAgentIs(standing, goal)) return { kind: standing.pending ? 'withdraw' : 'none' }
  if (notInPlace !== null)
    return inNewSession(machine, session, { plan, how, because: notInPlace, empties })
  // Plan a pending move as well: if it is impossible, that must fail before the files move.
  const move = empties ? empty(machine, session) : moveTo(machine, session, plan.to)
  if (live.length === 0) return move
  // Under `retake claude`, Retake itself ends the agent and then moves the conversation.
  const reopens = isSupervised(machine, session.report.id)
  if (!reopens && !leavesAreNoticed(machine, session.report)) refuseLive(machine, session)
  return {
    kind: 'pending',
    reopens: reopens && !standing.runsShell,
    move: {
      target: goal,
      tip: plan.to.tip,
      from: standing.head,
      size: session.open.identity.size,
      byShell: standing.byShell,
    },
  }
}

/** The conversation continues in a new session, because this one cannot move. */
export function inNewSession(
  machine: Machine,
  session: ReadSession,
  {
    plan,
    how,
    because,
    empties,
  }: { plan: Plan; how: CommandOptions; because: string; empties: boolean },
): ConversationPlan {
  if (empties || how.keepPrompt === true) throw onlyElsewhere(because)
  return { ...planNewSession(machine, session, { turn: plan.to.turn!, title: null, how }), because }
}

function onlyElsewhere(because: string): Failure {
  return new Failure('version-unknown', `${because}.`, {
    hint: remedy`${drop('whole', 'keepPrompt')} to continue in a new session, or ${add('only', 'files')} to move only the files.`,
  })
}

/** Moves to the prompt of the first undone turn; without a turn before it, this is an `empty`. */
function keepPrompt(
  machine: Machine,
  { session, live }: SessionPosition,
  { to }: Plan,
): Extract<ConversationPlan, { kind: 'move' | 'empty' }> {
  const { tree, open } = session
  const place = to.beforeFirst || to.turn === null ? 0 : (tree.places.get(to.turn) ?? -1) + 1
  if (live.length > 0) refuseLive(machine, session)
  const planned = open.moves.planMoveToPrompt(tree.line[place]!, {
    uuid: machine.newId(),
    at: machine.now(),
    says: `Retake: the prompt of turn ${place + 1} stays, its answer is undone.`,
  })
  if (planned.kind === 'step')
    return { kind: place === 0 ? 'empty' : 'move', step: planned.step, keeps: tree.line[place]! }
  throw notMovable(planned.why)
}

/** The turn that runs the command continues anyway, so its parent counts as the agent's place. */
function isWhereAgentIs({ head, running, session }: SessionPosition, goal: TurnId | null): boolean {
  if (goal === head) return true
  return running !== null && goal === (session.tree.turns.get(running)?.parent ?? null)
}

/** Whether hooks tell Retake that the agent left, so that it can append after the last row. */
export function leavesAreNoticed(machine: Machine, report: ReadSession['report']): boolean {
  const { places } = machine
  const where = report.project ?? places.cwd
  const agent = agentOf(machine, report)
  if (hooksInstalled(agent, where) === 'none') return false
  if (agent.capture === null || agent.capture.blockedBy(where) !== null) return false
  return machine.disk.stat(nameBytes(`${places.state}/hook`)) !== null
}

/** The rows that make the agent continue after a turn. */
export function moveTo(
  machine: Machine,
  session: ReadSession,
  { turn, tip }: Pick<Place, 'turn' | 'tip'>,
): { readonly kind: 'move'; readonly step: PlannedStep } {
  const { tree, open } = session
  const line = pathTo(tree.turns, tip)
  const place = line.indexOf(turn!)
  const next = place < 0 ? null : (line[place + 1] ?? null)
  const planned = open.moves.planMove(
    { turn: turn!, next },
    {
      uuid: machine.newId(),
      at: machine.now(),
      says: `Retake: the conversation continues after turn ${place < 0 ? turn : place + 1}.`,
    },
  )
  if (planned.kind === 'step') return { kind: 'move', step: planned.step }
  throw notMovable(planned.why)
}

function notMovable(why: keyof typeof WHY): Failure {
  return new Failure(why, WHY[why], {
    hint: remedy`${add('only', 'files')} to move only the files.`,
  })
}

export function empty(
  machine: Machine,
  { open }: ReadSession,
): {
  readonly kind: 'empty'
  readonly step: PlannedStep
} {
  const step = open.moves.planEmpty()
  if (step !== null) return { kind: 'empty', step }
  const { name } = agentOf(machine, open).words
  const version = open.version ?? 'that wrote this session'
  throw new Failure('cannot-be-emptied', `${name} ${version} would not see it emptied.`, {
    hint: remedy`${drop('whole')}: the first turn then stays in the conversation.`,
  })
}

const WHY = {
  'behind-compaction':
    'The conversation was compacted after that turn, and what came before is incomplete.',
  'no-row': 'The end of that turn is not in the transcript.',
} as const
