import { durableDisk, makePrivateDirectory, makePrivateFile, nameBytes, removeIfThere } from '#disk'
import type { Places } from '../ground/index.ts'

/**
 * A file per session whose move is pending, so that a hook can tell in `sh` whether there is
 * anything to do. It says nothing else: what is pending stands in the project's store.
 */
export function markPending({ state }: Places, session: string): void {
  makePrivateFile(durableDisk, makePrivateDirectory(durableDisk, state, [DIRECTORY]), session)
}

/**
 * A mark that cannot be removed stays: it makes hooks ask once in vain, whereas an operation that is
 * done must not be told as failed.
 */
export function unmarkPending({ state }: Places, session: string): void {
  try {
    removeIfThere(durableDisk, nameBytes(`${state}/${DIRECTORY}/${session}`))
  } catch {}
}

const DIRECTORY = 'pending'
