import type { PlannedOperation, Running } from '#engine'
import { Failure } from '#failure'
import type { Progress, ReceiptReport } from '#timeline'
import type { Feed } from './feed.ts'

/** Operations that are being applied, by plan id. */
export interface RunningOperations {
  /** Does the work. Meanwhile all clients get its progress, and it can be cancelled. */
  carryOut(
    planned: PlannedOperation,
    work: (running: Running) => Promise<ReceiptReport>,
  ): Promise<ReceiptReport>
  /**
   * Null if no such plan is being applied. Resolves to null once everything is rolled back, or to a
   * receipt if it was too late to roll back.
   */
  cancel(plan: string): Promise<ReceiptReport | null> | null
}

/** Often enough to see it move, rarely enough to cost nothing. */
const INTERVAL_MS = 100

interface Work {
  readonly stop: AbortController
  readonly done: Promise<ReceiptReport>
}

export function openRunningOperations(feed: Feed, ending: AbortSignal): RunningOperations {
  // Two windows can apply the same plan at once; cancelling it stops both.
  const works = new Map<string, Set<Work>>()

  return {
    async carryOut(planned, perform) {
      const { id, files } = planned.report
      const stop = new AbortController()
      const progress = sendProgress(feed, planned)
      // Recovery from a dead process comes first, and that may have to wait too.
      const total = files.filter(({ verb }) => verb !== 'skip').length
      progress({ phase: 'waiting', done: 0, total })
      const done = perform({ signal: AbortSignal.any([ending, stop.signal]), progress })
      const work = { stop, done }
      const same = works.get(id) ?? new Set()
      works.set(id, same.add(work))
      try {
        return await done
      } finally {
        same.delete(work)
        if (same.size === 0) works.delete(id)
      }
    },
    cancel(plan) {
      const same = works.get(plan)
      if (same === undefined) return null
      for (const { stop } of same) stop.abort()
      return firstDone([...same].map(({ done }) => done))
    },
  }
}

async function firstDone(works: readonly Promise<ReceiptReport>[]): Promise<ReceiptReport | null> {
  for (const end of await Promise.allSettled(works)) {
    if (end.status === 'fulfilled') return end.value
    const { reason } = end as { reason: unknown }
    if (!(reason instanceof Failure) || reason.code !== 'interrupted') throw reason
  }
  return null
}

/** Reports each phase as it begins, and then a few times a second. */
function sendProgress(feed: Feed, { report }: PlannedOperation): (progress: Progress) => void {
  const { id: plan, session, verb } = report
  let sent = { phase: '', at: 0 }
  return (progress) => {
    const at = performance.now()
    if (progress.phase === sent.phase && at - sent.at < INTERVAL_MS) return
    sent = { phase: progress.phase, at }
    feed.say({ event: 'operation.progress', session, plan, verb, ...progress })
  }
}
