import type { Disk } from './durable-disk.ts'
import { tryInDirectory, type PinnedRoot } from './pinned-root.ts'

/** Open and sync this many directories at once. */
const MAX_OPEN = 64

/**
 * Syncs files and directories of a project, waiting for the disk once instead of for each. Skips
 * missing directories. Never retries: after a failed sync the kernel may drop the data, and a
 * second sync would report success.
 */
export async function syncTogether(
  root: PinnedRoot,
  { files = [], directories }: { files?: readonly number[]; directories: Iterable<string> },
): Promise<void> {
  const { disk } = root
  const paths = [...new Set(directories)]
  for (let from = 0; from === 0 || from < paths.length; from += MAX_OPEN) {
    // Open separate descriptors: those of a walk may be closed while the sync is still running.
    const open: number[] = []
    try {
      for (const path of paths.slice(from, from + MAX_OPEN))
        tryInDirectory(root, path, (directory) => open.push(disk.openDirectory(directory.at('.'))))
      await syncAll(disk, from === 0 ? [...files, ...open] : open)
    } finally {
      for (const file of open) disk.close(file)
    }
  }
}

/** Waits for all syncs, even failed ones: until then none of the files may be closed. */
export async function syncAll(disk: Disk, files: readonly number[]): Promise<void> {
  const ends = await Promise.allSettled(files.map(async (file) => disk.syncSoon(file)))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
