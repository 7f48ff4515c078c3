import { closeSync, constants, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs'
import { diskFailure } from './disk-failure.ts'

/** Who a file is, so that a replaced or shrunk file is never taken for the grown old one. */
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

/** A regular file, open for reading: all that is read through it is of one and the same file. */
export interface FileRanges extends Disposable {
  readonly path: string
  /** As it was when the file was opened. */
  readonly identity: FileIdentity
  readonly size: number
  /** A range past the end comes back shorter. */
  read(offset: number, length: number): Buffer
  /** Reads into a buffer that is there already; says how many bytes came, 0 at the end. */
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
    // Without O_NONBLOCK the opening of a pipe waits for a writer, for ever if need be.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (cause) {
    throw diskFailure(cause, path)
  }
}

/** Where in the buffer they stand: the first bytes at 0, the last ones behind or among them. */
export interface FileEnds {
  readonly first: number
  readonly lastFrom: number
  readonly lastTo: number
}

/**
 * The first and the last bytes of a file whose size is known, in one go: for whoever looks at
 * thousands of them. A file that is no longer what its size was taken of comes back otherwise than
 * it is, and is looked at again when its identity is seen to have changed.
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
 * The whole file, or null when it is not there, cannot be read or is larger than `limit`. Read to
 * its end whatever its size says: the files of /proc say 0.
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
