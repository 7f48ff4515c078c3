import { openCrew, type Crew } from './scan-crew.ts'
import { shareRows, type VerifyJob } from './scan-jobs.ts'
import { verifyRow, type Finding } from './scan-verify.ts'

/** From this many directories on, a second thread is started sooner than it is missed. */
const MANY = 2000
const PER_JOB = 128

/** Compares directories with their rows, as these become known. */
export interface RowScan extends Disposable {
  add(path: string, row: Buffer): void
  /** Everything that differs, without reading a file: a scan is one call, however many threads. */
  finish(): Finding[]
}

export function openRowScan(
  root: string,
  { trustTimes, expected }: { trustTimes: boolean; expected: number },
): RowScan {
  if (expected < MANY) return scanAlone(root, trustTimes)
  // Before the rows are there: a thread needs as long to start as they need to be read.
  const crew = openCrew<VerifyJob>()
  let count = 0
  let rows: [string, Buffer][] = []
  const flush = (): void => {
    crew.add(shareRows(rows, { root, trustTimes }))
    rows = []
    count += 1
  }
  return {
    add(path, row) {
      rows.push([path, row])
      if (rows.length === PER_JOB) flush()
    },
    finish() {
      if (rows.length > 0) flush()
      return takeAll(crew, count)
    },
    [Symbol.dispose]: () => crew[Symbol.dispose](),
  }
}

function takeAll(crew: Crew<VerifyJob>, count: number): Finding[] {
  const others: number[] = []
  const findings: Finding[] = []
  for (let n = 0; n < count; n += 1)
    if (crew.isTaken(n)) others.push(n)
    else findings.push(...crew.take(n))
  for (const n of others) findings.push(...crew.take(n))
  return findings
}

function scanAlone(root: string, trustTimes: boolean): RowScan {
  const rows: [string, Buffer][] = []
  return {
    add: (path, row) => rows.push([path, row]),
    finish: () =>
      rows
        .map(([path, row]) => verifyRow({ root, path, row, trustTimes }))
        .filter((finding) => finding !== null),
    [Symbol.dispose]() {},
  }
}
