import { writeFailure } from '#disk'
import { Failure } from '#failure'
import {
  getOperation,
  setOperationState,
  setOutcomes,
  unfinishedOperations,
  write,
  type Operation,
} from '#store'
import { begin } from './begin.ts'
import { clean } from './clean.ts'
import {
  unfinished,
  type ApplyOutcome,
  type Journal,
  type KeptPath,
  type OperationPlan,
  type Running,
} from './journal.ts'
import type { PathResult } from './move-path.ts'
import { rollBack } from './roll-back.ts'
import { runSteps, type Ran } from './run-steps.ts'
import { stageAll, unstageAll } from './stage.ts'

/**
 * Applies a plan completely or not at all. On an error, or when `signal` is aborted, it rolls back
 * everything and records the operation as rolled back.
 */
export async function applyPlan(
  journal: Journal,
  plan: OperationPlan,
  running: Running = {},
): Promise<ApplyOutcome> {
  requireWriter(journal)
  if (unfinishedOperations(journal.store).some(({ state }) => !hasEnded(state)))
    throw unfinished(undefined)
  const total = plan.changes.length
  running.progress?.({ phase: 'keeping', done: 0, total })
  try {
    return await applyBegun(journal, plan, running)
  } finally {
    journal.root.release()
  }
}

async function applyBegun(
  journal: Journal,
  plan: OperationPlan,
  running: Running,
): Promise<ApplyOutcome> {
  const beginning = await begin(journal, plan, running)
  if (beginning.kind === 'refused') return beginning
  const { operation } = beginning

  try {
    plan.conversation?.stage?.(journal.store.disk)
    await stageAll(journal, operation, running)
  } catch (error) {
    return abandon(journal, operation, error)
  }
  let ran: Ran
  try {
    ran = await runSteps(journal, operation, running)
    moveConversation(journal, operation)
  } catch (error) {
    return rollBackChanges(journal, operation, error)
  }
  try {
    commitOperation(journal, operation, ran.results)
  } catch (error) {
    return rollBackFailedCommit(journal, operation, error)
  }
  await tidyUp(journal, operation, ran)
  const done = getOperation(journal.store, operation.id)
  return { kind: 'done', operation: done, kept: keptOf(done) }
}

export function requireWriter({ writer, store }: Journal): void {
  if (writer.directory !== store.directory || !writer.isHeld)
    throw new Failure('project-locked', 'The lock of this project is not held.')
}

export function hasEnded(state: Operation['state']): boolean {
  return state === 'committed' || state === 'rolled-back'
}

/** Records `applied` first: once the conversation has moved, the operation can only go forward. */
function moveConversation(journal: Journal, { id, conversation }: Operation): void {
  if (conversation === null) return
  const { store, conversations } = journal
  setOperationState(store, id, { state: 'applied' })
  conversations.perform(store.disk, conversation)
}

export function commitOperation(
  journal: Journal,
  operation: Operation,
  results: readonly PathResult[],
): void {
  const { store } = journal
  write(store, () => {
    const conflicts = [...results.entries()].flatMap(([n, result]) =>
      result.outcome === 'conflict' ? [[n, result.found] as const] : [],
    )
    setOutcomes(store, operation.id, new Map(conflicts))
    setOperationState(store, operation.id, { state: 'committed' })
    journal.commit(getOperation(store, operation.id))
  })
}

/** The operation is committed. If a file cannot be removed now, the next start removes it. */
async function tidyUp(journal: Journal, operation: Operation, { untidy }: Ran): Promise<void> {
  try {
    await clean(journal, { ...operation, state: 'committed' }, 'fail', untidy)
  } catch {
    // The record still says that it is not tidy.
  }
}

/** Nothing in the project has changed yet, so only Retake's own files have to go. */
async function abandon(
  journal: Journal,
  operation: Operation,
  error: unknown,
): Promise<ApplyOutcome> {
  const because = reasonOf(operation, error)
  try {
    await unstageAll(journal, operation, 'fail')
    setOperationState(journal.store, operation.id, {
      state: 'rolled-back',
      tidy: true,
      because: { code: because.code, message: because.message },
    })
  } catch {
    // The recorded state is still `intent`, so the next start removes the rest.
  }
  return rolledBack(journal, operation, because, [])
}

async function rollBackChanges(
  journal: Journal,
  operation: Operation,
  error: unknown,
): Promise<ApplyOutcome> {
  if (hasMoved(journal, operation)) throw unfinished(error)
  const because = reasonOf(operation, error)
  const record = { code: because.code, message: because.message }
  try {
    setOperationState(journal.store, operation.id, { state: 'rolling-back', because: record })
  } catch {
    // The disk may be full. Roll back anyway: `recover` can tell from the files that it was done.
  }
  let kept: KeptPath[]
  try {
    kept = await rollBack(journal, operation, record, 'fail')
  } catch {
    throw unfinished(error)
  }
  return rolledBack(journal, operation, because, kept)
}

/**
 * A failed commit may still take effect: its record can be in the log, only not synced. Rolling
 * back files is safe only after a later record says `rolling-back`.
 */
async function rollBackFailedCommit(
  journal: Journal,
  operation: Operation,
  error: unknown,
): Promise<ApplyOutcome> {
  if (operation.conversation !== null) throw unfinished(error)
  try {
    setOperationState(journal.store, operation.id, { state: 'rolling-back' })
  } catch {
    throw unfinished(error)
  }
  return rollBackChanges(journal, operation, error)
}

/** Whether any part of the conversation's step was done. If the check fails, assume that it was. */
export function hasMoved(journal: Journal, { conversation }: Operation): boolean {
  if (conversation === null) return false
  try {
    const progress = journal.conversations.progress(journal.store.disk, conversation)
    return progress === 'after' || progress === 'partly'
  } catch {
    return true
  }
}

function rolledBack(
  { store }: Journal,
  { id }: Operation,
  because: Failure,
  kept: KeptPath[],
): ApplyOutcome {
  return { kind: 'rolled-back', operation: getOperation(store, id), because, kept }
}

function reasonOf(operation: Operation, error: unknown): Failure {
  return writeFailure(
    error,
    operation.paths.length === 1 ? operation.paths[0]!.path : 'The project',
  )
}

export function keptOf(operation: Operation): KeptPath[] {
  return operation.paths.flatMap(({ path, outcome, found }) =>
    outcome === 'conflict' && found !== null ? [{ path, found }] : [],
  )
}
