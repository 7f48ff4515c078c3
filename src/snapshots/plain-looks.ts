import {
  lookOf,
  lookPlain,
  openCrew,
  type Crew,
  type LookJob,
  type Looks,
  type PinnedRoot,
  type PlainLook,
} from '#disk'
import type { Borrowing } from './borrowing.ts'

/**
 * The fast path of a first snapshot: stats directories on the chance that git vouches for every
 * file.
 */
export interface PlainLooks extends Disposable {
  /** Null if git cannot vouch for it, or the directory is not plain. */
  look(path: string): PlainLook | null
  /** Reports that git did not vouch: the directory has to be scanned the slow way. */
  failed(): void
}

/** Tolerate this many failures before giving up on a high failure rate. */
const MIN_FAILURES = 64
/** From this index size on, in bytes, worker threads save more than they cost to start. */
const LARGE_INDEX = 900_000
const DIRECTORIES_PER_JOB = 64

export function plainLooks({
  root,
  borrowing,
  racyFrom,
}: {
  root: PinnedRoot
  borrowing: Borrowing
  racyFrom: bigint
}): PlainLooks {
  const options = { device: root.stat.device, racyFrom }
  // Start the threads before reading the index: both take about as long.
  const crew = borrowing.indexSize() < LARGE_INDEX ? null : openCrew<LookJob>()
  let ahead: ((path: string) => PlainLook | null) | null = null
  let tried = 0
  let failures = 0
  return {
    look(path) {
      // In a copied tree, say, all inodes differ from git's index. Without this limit every
      // directory would be scanned twice.
      if ((failures > MIN_FAILURES && failures * 2 > tried) || !borrowing.mayVouch(path))
        return null
      tried += 1
      if (crew !== null) ahead ??= lookAhead(crew, borrowing.directories(), root, options)
      const whole = path === '' ? root.path : `${root.path}/${path}`
      const look = ahead === null ? lookPlain(whole, options) : ahead(path)
      if (look === null) failures += 1
      return look
    },
    failed() {
      failures += 1
    },
    [Symbol.dispose]: () => crew?.[Symbol.dispose](),
  }
}

/** Worker threads stat the directories in git's index while this thread compares and writes. */
function lookAhead(
  crew: Crew<LookJob>,
  directories: readonly string[],
  root: PinnedRoot,
  options: LookJob['options'],
): (path: string) => PlainLook | null {
  const numbers = new Map(directories.map((path, n) => [path, n]))
  for (let n = 0; n < directories.length; n += DIRECTORIES_PER_JOB)
    crew.add({
      kind: 'look',
      root: root.path,
      paths: directories.slice(n, n + DIRECTORIES_PER_JOB),
      options,
    })
  const results: Looks[] = []
  return (path) => {
    const n = numbers.get(path)
    if (n === undefined) return lookPlain(`${root.path}/${path}`, options)
    const job = Math.floor(n / DIRECTORIES_PER_JOB)
    const looks = (results[job] ??= crew.take(job))
    return lookOf(looks, n % DIRECTORIES_PER_JOB)
  }
}
