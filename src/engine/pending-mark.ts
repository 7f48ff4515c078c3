import { durableDisk, makePrivateDirectory, makePrivateFile, nameBytes, removeIfThere } from '#disk'
import type { Places } from './places.ts'

/**
 * A file per session whose move is pending, so that a hook can tell in `sh` whether there is
 * anything to do. It says nothing else: what is pending stands in the project's store.
 */
export function markPending({ state }: Places, session: string): void {
  makePrivateFile(durableDisk, makePrivateDirectory(durableDisk, state, [DIRECTORY]), session)
}

export function unmarkPending({ state }: Places, session: string): void {
  removeIfThere(durableDisk, nameBytes(`${state}/${DIRECTORY}/${session}`))
}

const DIRECTORY = 'pending'
