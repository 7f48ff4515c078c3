import { Failure } from '#failure'
import { getOperation, listOperations, type Operation, type Store } from '#store'
import type { OperationReport } from '#timeline'
import type { Project } from './open-project.ts'
import type { OperationDetails } from './read-ledger.ts'
import { receiptOf } from './receipt.ts'

/** Retake's own history, newest first. */
export function readOperations({ store }: Project): OperationReport[] {
  const all = listOperations(store)
  const undone = undoneOperations(all)
  return all.map((operation) => reportOperation(operation, undone.has(operation.id)))
}

/** Of operations that come newest first. An op undo that was itself undone undoes nothing more. */
export function undoneOperations(operations: readonly Operation[]): Set<number> {
  const undone = new Set<number>()
  for (const { id, inverts, state } of operations)
    if (inverts !== null && state === 'committed' && !undone.has(id)) undone.add(inverts)
  return undone
}

export function readOperation(project: Project, id: number): OperationReport {
  const found = readOperations(project).find((operation) => operation.id === id)
  if (found !== undefined) return found
  throw new Failure('operation-not-found', `There is no operation ${id}.`, {
    hint: 'Run `retake op log` to see which there are.',
  })
}

/** One operation by itself, as it was committed: nobody has undone it yet. */
export function reportOf(store: Store, id: number): OperationReport {
  return reportOperation(getOperation(store, id), false)
}

function reportOperation(operation: Operation, undone: boolean): OperationReport {
  const { id, verb, session, inverts, at, state, because, pruned, paths } = operation
  const { turns } = operation.details as OperationDetails
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
