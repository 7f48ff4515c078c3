import { closeSync, constants, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs'
import { diskFailure } from './disk-failure.ts'

/**
 * Identifies a file, so that a replaced or shrunk one is never mistaken for the old one that grew.
 */
export interface FileIdentity {
  readonly device: bigint
  readonly inode: bigint
  readonly size: number
  readonly modified: bigint
  /** Changes with every write and cannot be set back, unlike the modification time. */
  readonly changed: bigint
}

export function identityOf(stat: BigIntStats): FileIdentity {
  return {
    device: stat.dev,
    inode: stat.ino,
    size: Number(stat.size),
    modified: stat.mtimeNs,
    changed: stat.ctimeNs,
  }
}

/**
 * A regular file, open for reading. All reads are from the same file, even if its path is replaced.
 */
export interface FileRanges extends Disposable {
  readonly path: string
  /** At the time of opening. */
  readonly identity: FileIdentity
  readonly size: number
  /** Returns fewer bytes for a range past the end. */
  read(offset: number, length: number): Buffer
  /** Reads into the given buffer and returns the number of bytes, 0 at the end. */
  readInto(buffer: Buffer, at: number, length: number, offset: number): number
}

export function readRanges(path: string): FileRanges {
  const file = open(path)
  const readInto: FileRanges['readInto'] = (buffer, at, length, offset) => {
    try {
      return readSync(file, buffer, at, length, offset)
    } catch (cause) {
      throw diskFailure(cause, path)
    }
  }
  try {
    const stat = fstatSync(file, { bigint: true })
    if (!stat.isFile()) throw diskFailure('not-a-file', path)
    const identity = identityOf(stat)
    const { size } = identity
    return {
      path,
      identity,
      size,
      readInto,
      read(offset, length) {
        const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)))
        let got = 0
        while (got < buffer.length) {
          const count = readInto(buffer, got, buffer.length - got, offset + got)
          if (count === 0) break
          got += count
        }
        return buffer.subarray(0, got)
      },
      [Symbol.dispose]: () => closeSync(file),
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function open(path: string): number {
  try {
    // O_NONBLOCK, because opening a FIFO would wait forever for a writer.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (cause) {
    throw diskFailure(cause, path)
  }
}

/**
 * Positions in the buffer: the first bytes begin at 0, the last bytes come after them or overlap.
 */
export interface FileEnds {
  readonly first: number
  readonly lastFrom: number
  readonly lastTo: number
}

/**
 * Reads the first and the last bytes of a file of known size, for callers that read thousands of
 * files. If the file changed since, the result may be wrong; the caller reads it again when it sees
 * the new identity.
 */
export function readEnds(
  path: string,
  size: number,
  buffer: Buffer,
  { first, last }: { first: number; last: number },
): FileEnds {
  const file = open(path)
  try {
    if (size <= first + last) {
      const got = readSync(file, buffer, 0, size, 0)
      return { first: got, lastFrom: Math.max(0, got - last), lastTo: got }
    }
    const got = readSync(file, buffer, 0, first, 0)
    return {
      first: got,
      lastFrom: first,
      lastTo: first + readSync(file, buffer, first, last, size - last),
    }
  } catch (cause) {
    throw diskFailure(cause, path)
  } finally {
    closeSync(file)
  }
}

/**
 * The whole file. Null if it is missing, unreadable or larger than `limit`. Ignores the size in the
 * stat, because files in /proc report 0.
 */
export function readSmallFile(path: string, limit: number): Buffer | null {
  try {
    using file = readRanges(path)
    const parts: Buffer[] = []
    let length = 0
    for (;;) {
      const part = Buffer.allocUnsafe(Math.min(limit + 1 - length, Math.max(file.size, 4096)))
      const count = file.readInto(part, 0, part.length, length)
      if (count === 0) return Buffer.concat(parts)
      parts.push(part.subarray(0, count))
      length += count
      if (length > limit) return null
    }
  } catch {
    return null
  }
}
