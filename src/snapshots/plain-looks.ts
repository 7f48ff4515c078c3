import { lookPlain, type PinnedRoot, type PlainLook } from '#disk'
import type { Intake } from './intake.ts'

/** Looks at directories in the hope that git vouches for all that is in them. */
export interface PlainLooks {
  /** Null when there is no such hope, or it was found not to be plain. */
  look(path: string): PlainLook | null
  /** The hope was in vain, and the directory has to be looked at once more. */
  failed(): void
}

/** So many directories are tried, whatever comes of it. */
const TRIES = 64

export function plainLooks({
  root,
  intake,
  racyFrom,
}: {
  root: PinnedRoot
  intake: Intake
  racyFrom: bigint
}): PlainLooks {
  const options = { device: root.stat.device, racyFrom }
  let tried = 0
  let inVain = 0
  return {
    look(path) {
      // A tree that was copied, say, has other inodes than git's index knows: who goes on trying
      // looks at everything twice.
      if ((inVain > TRIES && inVain * 2 > tried) || !intake.mayVouch(path)) return null
      tried += 1
      const look = lookPlain(path === '' ? root.path : `${root.path}/${path}`, options)
      if (look === null) inVain += 1
      return look
    },
    failed() {
      inVain += 1
    },
  }
}
