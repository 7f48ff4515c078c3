import { openWorkerPool, type WorkerPool } from './worker-pool.ts'
import { shareRows, type VerifyJob } from './scan-jobs.ts'
import { verifyRow, type Finding } from './scan-verify.ts'

/** From this many directories on, worker threads are worth their start-up time. */
const MIN_ROWS_FOR_THREADS = 2000
const ROWS_PER_JOB = 128
/** This part of an equal share stays with this thread and need not be copied to shared memory. */
const OWN_SHARE = 0.8

/** Compares directories with their rows while the rows are still being loaded. */
export interface RowScan extends Disposable {
  add(path: string, row: Buffer): void
  /**
   * Returns all differences without reading a file. Synchronous, whatever the number of threads.
   */
  finish(): Finding[]
}

export function openRowScan(
  root: string,
  { trustTimes, expected, threads }: { trustTimes: boolean; expected: number; threads: boolean },
): RowScan {
  const own: (readonly [string, Buffer])[] = []
  if (!threads || expected < MIN_ROWS_FOR_THREADS)
    return {
      add: (path, row) => own.push([path, row]),
      finish: () => verifyOwn(own, { root, trustTimes }),
      [Symbol.dispose]() {},
    }
  // Start threads before the rows are loaded: both take about as long.
  const pool = openWorkerPool<VerifyJob>()
  const share = Math.floor((expected * OWN_SHARE) / (pool.helpers + 1))
  let jobs = 0
  let rows: (readonly [string, Buffer])[] = []
  const flush = (): void => {
    pool.add(shareRows(rows, { root, trustTimes }))
    rows = []
    jobs += 1
  }
  return {
    add(path, row) {
      if (own.length < share) own.push([path, row])
      else if (rows.push([path, row]) === ROWS_PER_JOB) flush()
    },
    finish() {
      if (rows.length > 0) flush()
      return [...verifyOwn(own, { root, trustTimes }), ...takeAll(pool, jobs)]
    },
    [Symbol.dispose]: () => pool[Symbol.dispose](),
  }
}

function verifyOwn(
  rows: readonly (readonly [path: string, row: Buffer])[],
  options: { root: string; trustTimes: boolean },
): Finding[] {
  const findings: Finding[] = []
  for (const [path, row] of rows) {
    const finding = verifyRow({ ...options, path, row })
    if (finding !== null) findings.push(finding)
  }
  return findings
}

function takeAll(pool: WorkerPool<VerifyJob>, count: number): Finding[] {
  const others: number[] = []
  const findings: Finding[] = []
  for (let n = 0; n < count; n += 1)
    if (pool.isTaken(n)) others.push(n)
    else findings.push(...pool.take(n))
  for (const n of others) findings.push(...pool.take(n))
  return findings
}
