import {
  getOperation,
  setOperationState,
  sweepLarge,
  unfinishedOperations,
  type Operation,
} from '#store'
import { commitOperation, hasMoved, keptOf, requireWriter } from './apply.ts'
import { clean } from './clean.ts'
import { holds } from './found-value.ts'
import { unfinished, type Journal, type KeptPath } from './journal.ts'
import { findOld, type PathResult } from './move-path.ts'
import { sweepQuarantine } from './quarantine.ts'
import { rollBack } from './roll-back.ts'
import { readBack } from './run-steps.ts'
import { atSite, readSpot } from './site.ts'
import { unstageAll } from './stage.ts'

/** The outcome of an operation that an earlier process left unfinished. */
export interface Recovered {
  readonly operation: Operation
  /** `tidied`: it had ended, and only its own files were left. */
  readonly how: 'finished' | 'rolled-back' | 'tidied'
  /** Paths that someone changed since. Those changes were kept. */
  readonly kept: readonly KeptPath[]
}

const INTERRUPTED = {
  code: 'interrupted' as const,
  message: 'Retake was stopped before the operation was done.',
}

/**
 * Finishes the operations of earlier processes: forward from `applied` on, else back. It can be
 * interrupted at any point and run again. Needs the lock.
 */
export async function recover(journal: Journal): Promise<Recovered[]> {
  requireWriter(journal)
  const recovered: Recovered[] = []
  for (const operation of unfinishedOperations(journal.store))
    recovered.push(await recoverOne(journal, operation))
  sweepQuarantine(journal)
  sweepLarge(journal.store)
  return recovered
}

async function recoverOne(journal: Journal, operation: Operation): Promise<Recovered> {
  switch (operation.state) {
    case 'intent':
      await unstageAll(journal, operation, 'accept')
      setOperationState(journal.store, operation.id, {
        state: 'rolled-back',
        tidy: true,
        because: INTERRUPTED,
      })
      return report(journal, operation, 'rolled-back', [])
    case 'applied':
      // Do not run the steps again: all were done, and any difference is a later change by someone
      // else.
      return finishConversation(journal, operation, await readBack(journal, operation))
    // Rolling back needs less than finishing: no new file and no free name.
    case 'staged':
    case 'rolling-back':
      return goBack(journal, operation)
    case 'committed':
    case 'rolled-back':
      await clean(journal, operation, 'accept')
      return report(journal, operation, 'tidied', [])
    default:
      return operation.state satisfies never
  }
}

/** Goes forward if the conversation has moved or still can. Otherwise rolls everything back. */
async function finishConversation(
  journal: Journal,
  operation: Operation,
  results: readonly PathResult[],
): Promise<Recovered> {
  const { store, conversations } = journal
  const progress = conversations.progress(store.disk, operation.conversation!)
  if (progress === 'before' && wasPutBack(journal, operation)) return goBack(journal, operation)
  try {
    conversations.perform(store.disk, operation.conversation!)
  } catch (error) {
    if (hasMoved(journal, operation)) throw unfinished(error)
    return goBack(journal, operation)
  }
  return finish(journal, operation, results)
}

async function finish(
  journal: Journal,
  operation: Operation,
  results: readonly PathResult[],
): Promise<Recovered> {
  commitOperation(journal, operation, results)
  await clean(journal, { ...operation, state: 'committed' }, 'accept')
  const done = getOperation(journal.store, operation.id)
  return { operation: done, how: 'finished', kept: keptOf(done) }
}

async function goBack(journal: Journal, operation: Operation): Promise<Recovered> {
  if (operation.state !== 'rolling-back')
    setOperationState(journal.store, operation.id, {
      state: 'rolling-back',
      because: INTERRUPTED,
    })
  const kept = await rollBack(journal, operation, operation.because ?? INTERRUPTED, 'accept')
  return report(journal, operation, 'rolled-back', kept)
}

function report(
  { store }: Journal,
  { id }: Operation,
  how: Recovered['how'],
  kept: readonly KeptPath[],
): Recovered {
  return { operation: getOperation(store, id), how, kept }
}

/** Between `applied` and the commit every old file is aside. If one is missing, it was moved back. */
function wasPutBack(journal: Journal, operation: Operation): boolean {
  return operation.paths.some(({ pre }, n) => {
    const isOld = atSite(journal, operation, n, 'accept', (site) => {
      return findOld(site) === null && holds(readSpot(site.target), pre)
    })
    return isOld ?? true
  })
}
