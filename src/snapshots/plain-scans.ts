import {
  plainResultAt,
  scanPlain,
  openWorkerPool,
  type WorkerPool,
  type PlainJob,
  type PlainResults,
  type PinnedRoot,
  type PlainDirectory,
} from '#disk'
import type { Borrowing } from './borrowing.ts'

/**
 * The fast path of a first snapshot: stats directories on the chance that git vouches for every
 * file.
 */
export interface PlainScans extends Disposable {
  /** Null if git cannot vouch for it, or the directory is not plain. */
  scan(path: string): PlainDirectory | null
  /** Reports that git did not vouch: the directory has to be scanned the slow way. */
  failed(): void
}

/** Tolerate this many failures before giving up on a high failure rate. */
const MIN_FAILURES = 64
/** From this index size on, in bytes, worker threads save more than they cost to start. */
const LARGE_INDEX = 900_000
const DIRECTORIES_PER_JOB = 64

export function openPlainScans({
  root,
  borrowing,
  racyFrom,
  threads,
}: {
  root: PinnedRoot
  borrowing: Borrowing
  racyFrom: bigint
  threads: boolean
}): PlainScans {
  const options = { device: root.stat.device, racyFrom }
  // Start the threads before reading the index: both take about as long.
  const isLarge = threads && borrowing.indexSize() >= LARGE_INDEX
  const pool = isLarge ? openWorkerPool<PlainJob>() : null
  let ahead: ((path: string) => PlainDirectory | null) | null = null
  let tried = 0
  let failures = 0
  return {
    scan(path) {
      // In a copied tree, say, all inodes differ from git's index. Without this limit every
      // directory would be scanned twice.
      if ((failures > MIN_FAILURES && failures * 2 > tried) || !borrowing.mayVouch(path))
        return null
      tried += 1
      if (pool !== null) ahead ??= scanAhead(pool, borrowing.directories(), root, options)
      const whole = path === '' ? root.path : `${root.path}/${path}`
      const scanned = ahead === null ? scanPlain(whole, options) : ahead(path)
      if (scanned === null) failures += 1
      return scanned
    },
    failed() {
      failures += 1
    },
    [Symbol.dispose]: () => pool?.[Symbol.dispose](),
  }
}

/** Worker threads stat the directories in git's index while this thread compares and writes. */
function scanAhead(
  pool: WorkerPool<PlainJob>,
  directories: readonly string[],
  root: PinnedRoot,
  options: PlainJob['options'],
): (path: string) => PlainDirectory | null {
  const numbers = new Map(directories.map((path, n) => [path, n]))
  for (let n = 0; n < directories.length; n += DIRECTORIES_PER_JOB)
    pool.add({
      kind: 'plain',
      root: root.path,
      paths: directories.slice(n, n + DIRECTORIES_PER_JOB),
      options,
    })
  const results: PlainResults[] = []
  return (path) => {
    const n = numbers.get(path)
    if (n === undefined) return scanPlain(`${root.path}/${path}`, options)
    const job = Math.floor(n / DIRECTORIES_PER_JOB)
    const found = (results[job] ??= pool.take(job))
    return plainResultAt(found, n % DIRECTORIES_PER_JOB)
  }
}
