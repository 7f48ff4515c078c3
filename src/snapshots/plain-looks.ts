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

/** Looks at directories in the hope that git vouches for all that is in them. */
export interface PlainLooks extends Disposable {
  /** Null when there is no such hope, or it was found not to be plain. */
  look(path: string): PlainLook | null
  /** The hope was in vain, and the directory has to be looked at once more. */
  failed(): void
}

/** So many directories are tried, whatever comes of it. */
const TRIES = 64
/** From an index of this size on, in bytes, threads are started sooner than they are missed. */
const LARGE = 900_000
const PER_JOB = 64

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
  // Before the index is read: a thread needs as long to start as that takes.
  const crew = borrowing.indexSize() < LARGE ? null : openCrew<LookJob>()
  let ahead: ((path: string) => PlainLook | null) | null = null
  let tried = 0
  let inVain = 0
  return {
    look(path) {
      // A tree that was copied, say, has other inodes than git's index knows: who goes on trying
      // looks at everything twice.
      if ((inVain > TRIES && inVain * 2 > tried) || !borrowing.mayVouch(path)) return null
      tried += 1
      if (crew !== null) ahead ??= lookAhead(crew, borrowing.directories(), root, options)
      const whole = path === '' ? root.path : `${root.path}/${path}`
      const look = ahead === null ? lookPlain(whole, options) : ahead(path)
      if (look === null) inVain += 1
      return look
    },
    failed() {
      inVain += 1
    },
    [Symbol.dispose]: () => crew?.[Symbol.dispose](),
  }
}

/** Lets others look at the directories that git knows while this thread compares and writes. */
function lookAhead(
  crew: Crew<LookJob>,
  directories: readonly string[],
  root: PinnedRoot,
  options: LookJob['options'],
): (path: string) => PlainLook | null {
  const numbers = new Map(directories.map((path, n) => [path, n]))
  for (let n = 0; n < directories.length; n += PER_JOB)
    crew.add({
      kind: 'look',
      root: root.path,
      paths: directories.slice(n, n + PER_JOB),
      options,
    })
  const results: Looks[] = []
  return (path) => {
    const n = numbers.get(path)
    if (n === undefined) return lookPlain(`${root.path}/${path}`, options)
    const job = Math.floor(n / PER_JOB)
    const looks = (results[job] ??= crew.take(job))
    return lookOf(looks, n % PER_JOB)
  }
}
