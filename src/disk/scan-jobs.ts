import { scanPlain, type PlainDirectory, type PlainOptions } from './scan-plain.ts'
import { verifyRow, type Finding } from './scan-verify.ts'

/** Directories to compare with their rows, in memory shared by all threads. */
export interface VerifyJob {
  readonly kind: 'verify'
  readonly root: string
  readonly trustTimes: boolean
  /** The paths and rows, concatenated. */
  readonly bytes: SharedArrayBuffer
  /** The ends of each path and row: two numbers per directory. */
  readonly ends: Uint32Array<SharedArrayBuffer>
}

/** Directories to scan for the first time. */
export interface PlainJob {
  readonly kind: 'plain'
  readonly root: string
  readonly paths: readonly string[]
  readonly options: PlainOptions
}

export interface PlainResults {
  /** The rows, concatenated. */
  readonly bytes: ArrayBuffer
  /**
   * The end of each row, and the mode of its directory. A directory that was not plain has an empty
   * row.
   */
  readonly ends: Uint32Array
  readonly modes: Uint32Array
}

export type Job = VerifyJob | PlainJob
export type JobResult<J extends Job> = J extends VerifyJob ? Finding[] : PlainResults

export function performJob(job: VerifyJob): Finding[]
export function performJob(job: PlainJob): PlainResults
export function performJob(job: Job): Finding[] | PlainResults
export function performJob(job: Job): Finding[] | PlainResults {
  return job.kind === 'verify' ? verifyAll(job) : scanAll(job)
}

export function shareRows(
  rows: readonly (readonly [path: string, row: Buffer])[],
  { root, trustTimes }: { root: string; trustTimes: boolean },
): VerifyJob {
  const ends = new Uint32Array(new SharedArrayBuffer(rows.length * 8))
  let length = 0
  for (const [n, [path, row]] of rows.entries()) {
    ends[n * 2] = length += path.length * 2
    ends[n * 2 + 1] = length += row.length
  }
  const bytes = new SharedArrayBuffer(length)
  const target = Buffer.from(bytes)
  let at = 0
  for (const [path, row] of rows) {
    at += target.write(path, at, 'utf16le')
    target.set(row, at)
    at += row.length
  }
  return { kind: 'verify', root, trustTimes, bytes, ends }
}

function verifyAll({ root, trustTimes, bytes, ends }: VerifyJob): Finding[] {
  const all = Buffer.from(bytes)
  const findings: Finding[] = []
  let start = 0
  for (let n = 0; n < ends.length; n += 2) {
    const path = all.toString('utf16le', start, ends[n])
    const row = all.subarray(ends[n], ends[n + 1])
    const finding = verifyRow({ root, path, row, trustTimes })
    if (finding !== null) findings.push(finding)
    start = ends[n + 1]!
  }
  return findings
}

function scanAll({ root, paths, options }: PlainJob): PlainResults {
  const scanned = paths.map((path) => scanPlain(path === '' ? root : `${root}/${path}`, options))
  const ends = new Uint32Array(scanned.length)
  const modes = new Uint32Array(scanned.length)
  let length = 0
  for (const [n, directory] of scanned.entries()) {
    ends[n] = length += directory?.row.length ?? 0
    modes[n] = directory?.mode ?? 0
  }
  const bytes = new ArrayBuffer(length)
  const target = Buffer.from(bytes)
  for (const [n, directory] of scanned.entries())
    if (directory !== null) target.set(directory.row, startOf(ends, n))
  return { bytes, ends, modes }
}

/** The result for one directory of a job. Null if the directory was not plain. */
export function plainResultAt(
  { bytes, ends, modes }: PlainResults,
  n: number,
): PlainDirectory | null {
  const start = startOf(ends, n)
  const length = ends[n]! - start
  return length === 0 ? null : { row: Buffer.from(bytes, start, length), mode: modes[n]! }
}

function startOf(ends: Uint32Array, n: number): number {
  return n === 0 ? 0 : ends[n - 1]!
}
