import { Failure, add, choose, remedy, command } from '#failure'
import {
  applyPlan,
  recover,
  type ApplyOutcome,
  type Journal,
  type Recovered,
  type Refusal,
  type Running,
} from '#journal'
import { contentsIn, findDone, getOperation, type DoneOperation, type Operation } from '#store'
import {
  pathTo,
  recordOperation,
  sameValue,
  type FilePlan,
  type OperationId,
  type Place,
  type ReceiptReport,
} from '#timeline'
import {
  DETAILS_VERSION,
  detailsOf,
  isAsked,
  type OperationDetails,
  type Project,
} from '../project/index.ts'
import {
  outlineTurn,
  readPending,
  readSession,
  verifySessions,
  type ConversationPlan,
} from '../session/index.ts'
import {
  empties,
  movesHead,
  needsYes,
  planResolved,
  stalePlan,
  verifyTitle,
  wordsForAsk,
  wordsForConflict,
  type PlannedOperation,
} from '../plan/index.ts'
import { markedIn } from './marked-files.ts'
import { agentOf, noteRemovedBranch, type Machine } from '../ground/index.ts'
import { markPending, unmarkPending } from '../hooks/index.ts'
import { receiptOf } from './receipt.ts'
import { withJournal } from './with-journal.ts'

/**
 * Applies a plan. It plans again under the lock, and writes only if the plan and the state it was
 * made against are still the same. Applying a plan twice returns the same receipt.
 */
export async function applyOperation(
  machine: Machine,
  project: Project,
  planned: PlannedOperation,
  running: Running = {},
): Promise<ReceiptReport> {
  refuseConflicts(planned)
  refuseUnasked(planned)
  refuseUnknownLive(machine, planned)
  running.progress?.({ phase: 'waiting', done: 0, total: touchedBy(planned) })
  return withJournal(machine, project, running.signal, (journal) =>
    applyUnderLock(machine, project, planned, { journal, running }),
  )
}

async function applyUnderLock(
  machine: Machine,
  project: Project,
  planned: PlannedOperation,
  { journal, running }: { journal: Journal; running: Running },
): Promise<ReceiptReport> {
  await recover(journal)
  const done = findCarriedOut(project, planned)
  if (done !== null) return receiptOf(done)

  running.progress?.({ phase: 'checking', done: 0, total: touchedBy(planned) })
  const { asked, session, conversation } = planned
  const wanted = { session: session.report.id, project: null }
  const how =
    conversation.kind === 'branch'
      ? { ...planned.how, newSession: conversation.branch.session }
      : planned.how
  const again = await planResolved(machine, project, wanted, { asked, how })
  if (again.kind !== 'planned' || again.report.id !== planned.report.id)
    throw stalePlan(planned, again)
  running.signal?.throwIfAborted()
  if (again.conversation.kind === 'pending')
    markPending(machine.disk, machine.places, session.report.id)
  const outcome = await applyMarked(machine, project, session.report.id, () =>
    applyPlan(journal, prepare(machine, project, { ...again, request: planned.request }), running),
  )
  switch (outcome.kind) {
    case 'refused':
      throw refused(outcome.refusals)
    case 'rolled-back':
      throw outcome.because
    case 'done':
      verifyHead(machine, project, again)
      if (again.conversation.kind === 'unbranch')
        noteRemovedBranch(machine, again.conversation.branch.session, session.report.id)
      return receiptOf(outcome.operation)
  }
}

/** The operation that this plan became, if it was sent twice. */
function findCarriedOut(
  { store }: Project,
  { request: { id, after } }: PlannedOperation,
): Operation | null {
  const isIt = (each: DoneOperation): boolean => isAsked(each) && detailsOf(each).request === id
  const done = findDone(store, { after }, isIt)
  return done === null ? null : getOperation(store, done.id)
}

/** Sets the mark again afterwards: a process that settled an older move may have removed it. */
async function applyMarked(
  machine: Machine,
  { store }: Project,
  session: string,
  apply: () => Promise<ApplyOutcome>,
): Promise<ApplyOutcome> {
  try {
    return await apply()
  } finally {
    if (readPending(store, session) === null) unmarkPending(machine.disk, machine.places, session)
    else markPending(machine.disk, machine.places, session)
  }
}

/** Finishes or rolls back what a crashed process left behind. */
export async function recoverProject(
  machine: Machine,
  project: Project,
  { signal }: Running = {},
): Promise<Recovered[]> {
  return withJournal(machine, project, signal, recover)
}

function touchedBy({ plan }: PlannedOperation): number {
  return plan.files.filter(writes).length
}

/** Whether the file is written: not if it stays, or already is as wanted. */
function writes({ verb, pre, post, why }: FilePlan): boolean {
  return verb !== 'skip' && why !== 'kept-mine' && !sameValue(pre, post)
}

function refuseConflicts({ plan }: PlannedOperation): void {
  if (plan.conflicts.length === 0) return
  const files = plan.files.filter(({ verb }) => verb === 'conflict').map(wordsForConflict)
  throw new Failure('conflict', `Conflicts in ${files.join(', ')}.`, {
    hint: remedy`Nothing was changed. ${choose}.`,
    details: { files: plan.conflicts },
  })
}

/** Some agents do not report whether they run; one with the session open would miss the move. */
function refuseUnknownLive(
  machine: Machine,
  { conversation, how, session }: PlannedOperation,
): void {
  if (!('step' in conversation) || conversation.kind === 'branch' || how.confirmed === true) return
  const agent = agentOf(machine, session.report)
  if (agent.live() !== null) return
  const { name, leave } = agent.words
  throw new Failure(
    'session-live',
    `Retake cannot tell whether the session is open in ${name}, which would not see the change.`,
    {
      hint: remedy`Leave it with ${leave} and ${add('confirmed')}, or ${add('only', 'files')} to move only the files, or ${command('branch', ['TURN'])} to start a new session.`,
    },
  )
}

function refuseUnasked({ plan, how, session }: PlannedOperation): void {
  const ask = plan.asks.find((each) => needsYes(plan, each))
  if (ask === undefined || how.confirmed === true) return
  const words = wordsForAsk(ask, session).join()
  if (ask.code === 'removes-outside-edits')
    throw new Failure('removes-outside-edits', `Nothing was changed: it ${words}.`, {
      hint: remedy`${add('confirmed')} to continue.`,
    })
  throw new Failure('other-git-branch', `Nothing was changed: ${words}.`, {
    hint: remedy`Check that branch out, or ${add('confirmed')} to continue anyway.`,
  })
}

function prepare(machine: Machine, { store }: Project, planned: PlannedOperation) {
  const { plan, report, conversation, contents, session } = planned
  const changes = plan.files.filter(writes)
  const { id: _id, ...operation } = recordOperation(
    { ...plan, to: endOf(planned) },
    { id: '' as OperationId, session: report.session },
  )
  // Keep more than what is written: if several turns move at once, a cell's latest move names a
  // state between two of them, and a later merge starts from it.
  contents.keep(store, contentsIn([plan.files, operation]))
  const details: OperationDetails = {
    version: DETAILS_VERSION,
    request: planned.request.id,
    operation,
    from: report.from,
    to: report.to,
    turns: plan.turns,
    back: planned.back,
    messages: report.messages,
    merged: plan.files.filter(({ verb }) => verb === 'merge').map(({ path }) => path),
    kept: plan.files.filter(({ why }) => why === 'kept-mine').map(({ path }) => path),
    ...keptByIn(report),
    left: report.left,
    ...markedIn(plan, contents, report.warnings),
    notCovered: report.notCovered,
    conversation: doneTo(conversation),
    move: noted(machine, planned),
    emptied: empties(conversation),
    prompt: planned.back ? (report.target?.prompt ?? null) : null,
    ...(report.branches.length === 0 ? {} : { branches: report.branches }),
    ...(report.name === null ? {} : { name: report.name }),
    ...('branch' in conversation
      ? { branch: { ...conversation.branch, made: conversation.kind === 'branch' } }
      : {}),
    ...(report.continues === undefined ? {} : { continues: report.continues }),
    ...(plan.verb === 'switch' ? { passed: passedBy(planned) } : {}),
  }
  return {
    verb: plan.verb,
    session: session.report.id,
    ...(plan.inverts === null ? {} : { inverts: Number(plan.inverts) }),
    details,
    changes: changes.map(({ path, pre, post, chosen }) => ({
      path,
      pre,
      post,
      ...(chosen === null ? {} : { choice: chosen }),
    })),
    directories: { remove: plan.emptied, make: plan.made },
    ...('step' in conversation ? { conversation: conversation.step } : {}),
  }
}

function keptByIn({ files }: PlannedOperation['report']): Pick<OperationDetails, 'keptBy'> {
  const keptBy = files.flatMap(({ path, changedBy }) =>
    changedBy === undefined ? [] : [{ path, ...changedBy }],
  )
  return keptBy.length === 0 ? {} : { keptBy }
}

function doneTo({ kind }: ConversationPlan): OperationDetails['conversation'] {
  if (kind === 'pending') return kind
  return kind === 'move' || kind === 'empty' ? 'moved' : 'unchanged'
}

/** The move to record, so that a later command can tell whether it was overwritten. */
function noted(
  machine: Machine,
  { plan, conversation, session }: PlannedOperation,
): OperationDetails['move'] {
  switch (conversation.kind) {
    case 'none':
    case 'branch':
    case 'unbranch':
    case 'title':
      return null
    case 'withdraw':
      return 'withdraw'
    case 'pending':
      return conversation.move
    case 'move':
    case 'empty':
      if (!agentOf(machine, session.open).overwritesMoves) return 'withdraw'
      return {
        target: conversation.kind === 'empty' ? null : plan.to.turn,
        tip: plan.to.tip,
        from: session.open.conversation.head,
        size: session.open.identity.size,
        byShell: false,
      }
  }
}

/** A switch takes some turns out and brings others in. */
function passedBy({ plan, session, conversation }: PlannedOperation) {
  const there = new Set(pathTo(session.tree.turns, plan.to.tip))
  const outs = plan.turns.filter((id) => !there.has(id))
  const messages = outs.reduce((sum, id) => sum + outlineTurn(session.open, id).messages, 0)
  return {
    undone: outs.length,
    redone: plan.turns.length - outs.length,
    messages: movesHead(conversation) ? messages : 0,
  }
}

/** The session's place afterwards; if only files move, its head stays. */
function endOf({ plan, conversation }: PlannedOperation): Place {
  if (empties(conversation)) return { ...plan.to, turn: null }
  return !movesHead(conversation) && plan.to.turn !== plan.from.turn ? plan.from : plan.to
}

/** Reads the head back before the operation is reported as done. */
function verifyHead(
  machine: Machine,
  project: Project,
  { session, plan, conversation }: PlannedOperation,
): void {
  if ('branch' in conversation) return verifySessions(machine, conversation)
  if (conversation.kind === 'title') return verifyTitle(machine, session.report.id, conversation)
  if (conversation.kind !== 'move' && conversation.kind !== 'empty') return
  const { tree } = readSession(machine, { session: session.report.id, project: null }, project)
  if (tree.head === (conversation.kind === 'empty' ? null : plan.to.turn)) return
  throw new Failure('move-not-seen', 'The conversation is not where it was moved to.', {
    hint: remedy`Another program wrote to the transcript. ${command('op undo')} to undo the operation.`,
  })
}

const REFUSALS: Partial<Record<Refusal['why'], string>> = {
  changed: 'it changed since the plan was made',
  'conversation-changed': 'the transcript changed since the plan was made',
  'hard-linked': 'it has other names (hard links), which would change with it',
  'special-file': 'it is a special file',
  'directory-in-the-way': 'a directory is there',
  'parent-in-the-way': 'a file is in the way of a directory',
  'other-file-system': 'it is on another file system',
  'not-writable': 'there is no permission to change it',
  'not-readable': 'there is no permission to read it',
  'other-owner': 'it belongs to another user',
  'too-big': 'it is too big',
  'no-space': 'there is too little free space on the disk (Retake leaves 16 MB free)',
}

function refused(refusals: readonly Refusal[]): Failure {
  const said = refusals.map(
    ({ path, why }) => `${path === null ? '' : `${path}: `}${REFUSALS[why] ?? why}`,
  )
  const codes = refusals.map(({ why }) =>
    why === 'changed' || why === 'conversation-changed' ? 'plan-stale' : why,
  )
  const isStale = codes.includes('plan-stale')
  const code = isStale ? 'plan-stale' : (codes[0] ?? 'write-failed')
  return new Failure(code, `Nothing was changed: ${said.join('; ')}.`, {
    hint: isStale ? 'Plan again.' : 'Fix this, then try again.',
  })
}
