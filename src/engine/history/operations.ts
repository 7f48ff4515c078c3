import { command, Failure, remedy } from '#failure'
import { allCells, getOperation, listOperations, type Operation, type Store } from '#store'
import { findUndoable, type OperationId, type OperationReport } from '#timeline'
import { detailsOf, FOLLOW, followedBy, type Project } from '../project/index.ts'
import { plannedFrom, readPending } from '../session/index.ts'
import { refusalOf } from '../plan/index.ts'
import { receiptOf } from '../apply/index.ts'

/** Retake's own history, newest first. */
export function readOperations(
  { store }: Project,
  { limit, id }: { limit?: number | undefined; id?: number } = {},
): OperationReport[] {
  const recorded = listOperations(store)
  const all = recorded.filter(({ verb }) => verb !== FOLLOW)
  const fate = fatesOf(store, recorded)
  const undone = undoneOperations(all)
  const stays = reasonsToStay(store, all)
  const asked = id === undefined ? all.slice(0, limit) : all.filter((each) => each.id === id)
  return asked.map((operation) => {
    const report = { ...reportOperation(operation, undone.has(operation.id)), ...stays(operation) }
    const { receipt } = report
    if (receipt.conversation !== 'pending') return report
    return { ...report, receipt: { ...receipt, conversation: fate(operation) } }
  })
}

/** Why an operation cannot be undone now, as the planner would refuse it (sem.O3, sem.K2). */
function reasonsToStay(
  store: Store,
  recorded: readonly Operation[],
): (operation: Operation) => Pick<OperationReport, 'stays'> {
  const ledger = {
    operations: plannedFrom(recorded.filter(({ state }) => state === 'committed')),
    cells: allCells(store).map(({ cell }) => cell),
  }
  return ({ id, state, pruned }) => {
    if (state === 'rolled-back') return { stays: 'It failed and was rolled back.' }
    if (state !== 'committed') return { stays: 'It is not finished.' }
    if (pruned !== null) return { stays: 'A clean-up deleted contents that it needs.' }
    const found = findUndoable(ledger, String(id) as OperationId)
    if (found.kind !== 'refused') return { stays: null }
    return { stays: refusalOf({ operations: [], ...found }).message }
  }
}

/** Expects operations newest first. An op undo that was itself undone no longer undoes anything. */
export function undoneOperations(operations: readonly Operation[]): Set<number> {
  const undone = new Set<number>()
  for (const { id, inverts, state } of operations)
    if (inverts !== null && state === 'committed' && !undone.has(id)) undone.add(inverts)
  return undone
}

export function readOperation(project: Project, id: number): OperationReport {
  const [found] = readOperations(project, { id })
  if (found !== undefined) return found
  throw new Failure('operation-not-found', `There is no operation ${id}.`, {
    hint: remedy`${command('op log')} to list the operations.`,
  })
}

/** What happened to the conversation that an operation left pending. */
function fatesOf(
  store: Store,
  recorded: readonly Operation[],
): (operation: Operation) => 'pending' | 'moved' | 'unchanged' {
  const followed = new Set(
    recorded
      .filter(({ verb, state }) => verb === FOLLOW && state === 'committed')
      .map((done) => followedBy(done).operation),
  )
  return ({ id, session }) => {
    if (followed.has(id)) return 'moved'
    const pending = session === null ? null : readPending(store, session)
    return pending?.operation === id ? 'pending' : 'unchanged'
  }
}

/** One operation as it was committed, before any undo of it. */
export function reportOf(store: Store, id: number): OperationReport {
  return reportOperation(getOperation(store, id), false)
}

function reportOperation(operation: Operation, undone: boolean): OperationReport {
  const { id, verb, session, inverts, at, state, because, pruned, paths } = operation
  const { turns } = detailsOf(operation)
  return {
    id,
    verb: verb as OperationReport['verb'],
    session: session ?? '',
    at: new Date(at).toISOString(),
    state:
      state === 'committed'
        ? undone
          ? 'undone'
          : 'done'
        : state === 'rolled-back'
          ? 'rolled-back'
          : 'unfinished',
    because: because?.message ?? null,
    inverts,
    prunedAt: pruned === null ? null : new Date(pruned).toISOString(),
    stays: null,
    turns: turns.length,
    receipt: receiptOf(operation),
    files: paths.map(({ path, pre, post, outcome, choice }) => ({
      path,
      pre,
      post,
      outcome,
      choice,
    })),
  }
}
