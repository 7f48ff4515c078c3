import { type Disk, makePrivateDirectory, makePrivateFile, nameBytes, removeIfExists } from '#disk'
import type { Places } from '../ground/index.ts'

/**
 * One file per session with a pending move, so that a hook can check in `sh` whether there is work
 * to do. The move itself is in the project's store.
 */
export function markPending(disk: Disk, { state }: Places, session: string): void {
  makePrivateFile(disk, makePrivateDirectory(disk, state, [DIRECTORY]), session)
}

/**
 * Ignores errors: a leftover mark only costs hooks one extra check, but an error would report a
 * completed operation as failed.
 */
export function unmarkPending(disk: Disk, { state }: Places, session: string): void {
  try {
    removeIfExists(disk, nameBytes(`${state}/${DIRECTORY}/${session}`))
  } catch {}
}

const DIRECTORY = 'pending'
