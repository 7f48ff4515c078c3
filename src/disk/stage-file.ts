import { Failure } from '#failure'
import { errnoOf, type Disk, type Stat } from './durable-disk.ts'
import { nameBytes } from './names.ts'
import type { PinnedDirectory } from './pinned-root.ts'
import { blobId, readOpenFile } from './read-value.ts'
import { writeAll } from './write-once.ts'

/** A new file that lies ready beside its target under a name of ours. */
export interface Staged {
  readonly name: string
  /** Open until it is synced and read back; null for a symlink, which needs no sync of its own. */
  readonly file: number | null
  readonly content: string | null
}

/** Writes the bytes with their final mode and owner. Not durable: many are synced together. */
export function stageFile(
  directory: PinnedDirectory,
  name: string,
  what: { bytes: Buffer; content: string; mode: number; replaces: Stat | null },
): Staged {
  const { disk } = directory
  const file = disk.create(directory.at(name), 0o600)
  try {
    writeAll(disk, file, what.bytes)
    if (what.replaces !== null) takeOwner(directory, file, what.replaces)
    // After the owner: changing it clears setuid and setgid.
    disk.changeMode(file, what.mode)
    return { name, file, content: what.content }
  } catch (error) {
    disk.close(file)
    throw error
  }
}

export function stageSymlink(directory: PinnedDirectory, name: string, target: string): Staged {
  directory.disk.symlink(nameBytes(target), directory.at(name))
  return { name, file: null, content: null }
}

/** What was written and synced must be what is there. */
export function readBackStaged(disk: Disk, { file, content }: Staged): void {
  if (file === null) return
  const bytes = readOpenFile(disk, file, disk.statOpen(file).size)
  if (blobId(bytes) !== content)
    throw new Failure('disk-error', 'What was written does not read back the same.', {
      hint: 'Check the disk; nothing was changed.',
    })
}

/** The new file belongs to whom the old one belonged. A foreign group is not worth refusing for. */
function takeOwner(directory: PinnedDirectory, file: number, like: Stat): void {
  const { disk } = directory
  const now = disk.statOpen(file)
  if (now.owner === like.owner && now.group === like.group) return
  try {
    disk.changeOwner(file, like.owner, like.group)
  } catch (error) {
    if (errnoOf(error) !== 'EPERM' || now.owner !== like.owner) throw error
  }
}
