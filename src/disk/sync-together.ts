import type { Disk } from './durable-disk.ts'
import { tryInDirectory, type PinnedRoot } from './pinned-root.ts'

/** So many directories are opened at once to be synced. */
const MOST_OPEN = 64

/**
 * Makes files and directories of a project durable, with one wait for the disk instead of one for
 * each. A directory that is gone has nothing to keep. An error is not tried again: what could not be
 * synced once may be dropped by the kernel, and a second sync says that all is well.
 */
export async function syncTogether(
  root: PinnedRoot,
  { files = [], directories }: { files?: readonly number[]; directories: Iterable<string> },
): Promise<void> {
  const { disk } = root
  const paths = [...new Set(directories)]
  for (let from = 0; from === 0 || from < paths.length; from += MOST_OPEN) {
    // Handles of their own: those of a walk may be closed while the disk is still busy with them.
    const open: number[] = []
    try {
      for (const path of paths.slice(from, from + MOST_OPEN))
        tryInDirectory(root, path, (directory) => open.push(disk.openDirectory(directory.at('.'))))
      await syncAll(disk, from === 0 ? [...files, ...open] : open)
    } finally {
      for (const file of open) disk.close(file)
    }
  }
}

/** Ends when all have ended, well or not: until then none of them may be closed. */
async function syncAll(disk: Disk, files: readonly number[]): Promise<void> {
  const ends = await Promise.allSettled(files.map(async (file) => disk.syncSoon(file)))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
