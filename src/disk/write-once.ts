import { errnoOf, type Disk } from './durable-disk.ts'
import { nameBytes } from './names.ts'
import { readOpenFile } from './read-value.ts'
import { syncDirectory } from './write-private.ts'

/** The suffix of a file while its bytes are being written. */
export const UNFINISHED = '.part'

/**
 * Writes a file that never changes afterwards. It gets its name only after it is complete and
 * synced, with mode 0600. An existing file stays: the name determines the content, so it has the
 * same bytes.
 */
export function writeOnce(
  disk: Disk,
  directory: string,
  name: string,
  bytes: Buffer | Iterable<Buffer>,
): void {
  const path = nameBytes(`${directory}/${name}`)
  const unfinished = nameBytes(`${directory}/${name}.${process.pid}${UNFINISHED}`)
  removeIfExists(disk, unfinished)
  const file = disk.create(unfinished, 0o600)
  try {
    disk.changeMode(file, 0o600)
    for (const part of Buffer.isBuffer(bytes) ? [bytes] : bytes) writeAll(disk, file, part)
    disk.sync(file)
  } finally {
    disk.close(file)
  }
  try {
    disk.link(unfinished, path)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
  disk.unlink(unfinished)
  syncDirectory(disk, directory)
}

export function writeAll(disk: Disk, file: number, bytes: Buffer): void {
  let written = 0
  while (written < bytes.length) written += disk.write(file, bytes.subarray(written))
}

/** The bytes of one of Retake's own files. Null if it does not exist. */
export function readOwnFile(disk: Disk, path: string): Buffer | null {
  let file: number
  try {
    file = disk.openFile(nameBytes(path))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  }
  try {
    return readOpenFile(disk, file, disk.statOpen(file).size)
  } finally {
    disk.close(file)
  }
}

export function removeIfExists(disk: Disk, path: Buffer): boolean {
  // Usually it does not exist, and a stat is cheaper than catching an error.
  if (disk.stat(path) === null) return false
  try {
    disk.unlink(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
}
