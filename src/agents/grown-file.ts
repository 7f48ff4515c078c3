import { crc32 } from 'node:zlib'
import { readRanges, type FileIdentity, type FileRanges } from '#disk'

/** How far an append-only file was read. */
export interface FileReading {
  readonly identity: FileIdentity
  readonly end: number
  /**
   * Checksums of the start of the file and of the bytes before `end`, to detect a rewritten file.
   */
  readonly sample: string
}

const SAMPLE_BYTES = 4096

/**
 * The same file, not shorter, with the same bytes where they were sampled. A file that changed
 * without growing was overwritten.
 */
export function continues(file: FileRanges, { identity, end, sample }: FileReading): boolean {
  const { device, inode, size, changed } = file.identity
  if (device !== identity.device || inode !== identity.inode) return false
  if (size < identity.size || (size === identity.size && changed !== identity.changed)) return false
  return sampleOf(file, end) === sample
}

/** The sample that a reading up to `end` would have now. */
export function sampleAt(path: string, end: number): string {
  using file = readRanges(path)
  return sampleOf(file, end)
}

export function sampleOf(file: FileRanges, end: number): string {
  const first = file.read(0, Math.min(SAMPLE_BYTES, end))
  const last = file.read(Math.max(0, end - SAMPLE_BYTES), Math.min(SAMPLE_BYTES, end))
  // Not node:crypto: loading it takes longer than reading most sessions.
  return `${crc32(first)}:${crc32(last)}`
}
