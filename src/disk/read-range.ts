import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { diskFailure } from './disk-failure.ts'
import { identityOf, type FileIdentity } from './read-lines.ts'

/** Opens once and hands out byte ranges; a range past the end comes back shorter. */
export function readRanges(path: string): Disposable & {
  readonly identity: FileIdentity
  readonly size: number
  read(offset: number, length: number): Buffer
} {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (cause) {
    throw diskFailure(cause, path)
  }
  const stat = fstatSync(file, { bigint: true })
  if (!stat.isFile()) {
    closeSync(file)
    throw diskFailure('not-a-file', path)
  }
  const identity = identityOf(stat)
  const { size } = identity
  return {
    identity,
    size,
    read(offset, length) {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)))
      let got = 0
      while (got < buffer.length) {
        const count = readSync(file, buffer, got, buffer.length - got, offset + got)
        if (count === 0) break
        got += count
      }
      return buffer.subarray(0, got)
    },
    [Symbol.dispose]: () => closeSync(file),
  }
}

/** The whole file, or null when it is not there, cannot be read or is larger than `limit`. */
export function readSmallFile(path: string, limit: number): Buffer | null {
  try {
    using file = readRanges(path)
    return file.size > limit ? null : file.read(0, file.size)
  } catch {
    return null
  }
}
