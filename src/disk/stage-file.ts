import { Failure } from '#failure'
import { errnoOf, type Disk, type Stat } from './durable-disk.ts'
import { nameBytes } from './names.ts'
import type { Directory } from './pinned-root.ts'
import { blobId, readOpenFile } from './read-value.ts'
import { writeAll } from './write-once.ts'

/** A new file next to its target, under a temporary name. */
export interface Staged {
  readonly name: string
  /** Open until it is synced and read back. Null for a symlink, which needs no sync of its own. */
  readonly file: number | null
  readonly content: string | null
}

/**
 * Writes the bytes with their final mode and owner. Does not sync: the caller syncs many files
 * together.
 */
export function stageFile(
  directory: Directory,
  name: string,
  what: { bytes: Buffer; content: string; mode: number; replaces: Stat | null },
): Staged {
  const { disk } = directory
  const file = disk.create(directory.at(name), 0o600)
  try {
    writeAll(disk, file, what.bytes)
    if (what.replaces !== null) takeOwner(directory, file, what.replaces)
    // Set the mode after the owner, because a change of owner clears setuid and setgid.
    disk.changeMode(file, what.mode)
    return { name, file, content: what.content }
  } catch (error) {
    disk.close(file)
    throw error
  }
}

export function stageSymlink(directory: Directory, name: string, target: string): Staged {
  directory.disk.symlink(nameBytes(target), directory.at(name))
  return { name, file: null, content: null }
}

/** Checks that the file has the bytes that were written. */
export function readBackStaged(disk: Disk, { file, content }: Staged): void {
  if (file === null) return
  const bytes = readOpenFile(disk, file, disk.statOpen(file).size)
  if (blobId(bytes) !== content)
    throw new Failure('disk-error', 'The file does not contain what was written.', {
      hint: 'Check the disk. Nothing was changed.',
    })
}

/** Gives the new file the old one's owner and group. Accepts a group that cannot be set. */
function takeOwner(directory: Directory, file: number, like: Stat): void {
  const { disk } = directory
  const now = disk.statOpen(file)
  if (now.owner === like.owner && now.group === like.group) return
  try {
    disk.changeOwner(file, like.owner, like.group)
  } catch (error) {
    if (errnoOf(error) !== 'EPERM' || now.owner !== like.owner) throw error
  }
}
