import { writeFailure } from '#disk'
import { Failure } from '#failure'
import {
  getOperation,
  setOperationState,
  setPathOutcome,
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
import { runSteps } from './run-steps.ts'
import { stageAll, unstageAll } from './stage.ts'

/**
 * Carries out a plan as a whole or not at all. On an error or when `signal` is aborted everything
 * goes back to what it was, and that is recorded as an operation too.
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
  const beginning = await begin(journal, plan, running)
  if (beginning.kind === 'refused') return beginning
  const { operation } = beginning

  try {
    plan.conversation?.stage?.(journal.store.disk)
    await stageAll(journal, operation, running)
  } catch (error) {
    return abandon(journal, operation, error)
  }
  let results: PathResult[]
  try {
    results = await runSteps(journal, operation, running)
    moveConversation(journal, operation)
  } catch (error) {
    return takeBack(journal, operation, error)
  }
  try {
    commitOperation(journal, operation, results)
  } catch (error) {
    return takeBackCommit(journal, operation, error)
  }
  await tidyUp(journal, operation)
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

/** From the first byte on there is no way back, so the files must be known to be done before. */
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
    for (const [n, result] of results.entries())
      setPathOutcome(store, operation.id, n, {
        outcome: result.outcome,
        found: result.outcome === 'conflict' ? result.found : null,
      })
    setOperationState(store, operation.id, { state: 'committed' })
    journal.commit(getOperation(store, operation.id))
  })
}

/** The operation stands; what cannot be removed now is removed at the next start. */
async function tidyUp(journal: Journal, operation: Operation): Promise<void> {
  try {
    await clean(journal, { ...operation, state: 'committed' }, 'fail')
  } catch {
    // Still noted as untidy.
  }
}

/** Nothing of the project was changed yet: only our own files have to go. */
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
    // `intent` says the same: nothing was changed. The next start removes what is left.
  }
  return rolledBack(journal, operation, because, [])
}

async function takeBack(
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
    // A full disk. Going back is right all the same, and leaves a tree in which `recover` sees
    // that it was done.
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
 * A commit that failed may still come alive: its record can be in the log, only not synced. Taking
 * files back is safe only after a later record says so.
 */
async function takeBackCommit(
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
  return takeBack(journal, operation, error)
}

/** Whether anything of the conversation's step has been done; when in doubt it has. */
export function hasMoved(journal: Journal, { conversation }: Operation): boolean {
  if (conversation === null) return false
  try {
    const progress = journal.conversations.look(journal.store.disk, conversation)
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
