import { openCrew, type Crew } from './scan-crew.ts'
import { shareRows, type VerifyJob } from './scan-jobs.ts'
import { verifyRow, type Finding } from './scan-verify.ts'

/** From this many directories on, a second thread is started sooner than it is missed. */
const MANY = 2000
const PER_JOB = 128
/** So much of an equal share is surely this thread's: it need not be copied for others. */
const OWN_SHARE = 0.8

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
  const own: (readonly [string, Buffer])[] = []
  if (expected < MANY)
    return {
      add: (path, row) => own.push([path, row]),
      finish: () => verifyOwn(own, { root, trustTimes }),
      [Symbol.dispose]() {},
    }
  // Before the rows are there: a thread needs as long to start as they need to be read.
  const crew = openCrew<VerifyJob>()
  const share = Math.floor((expected * OWN_SHARE) / (crew.helpers + 1))
  let jobs = 0
  let rows: (readonly [string, Buffer])[] = []
  const flush = (): void => {
    crew.add(shareRows(rows, { root, trustTimes }))
    rows = []
    jobs += 1
  }
  return {
    add(path, row) {
      if (own.length < share) own.push([path, row])
      else if (rows.push([path, row]) === PER_JOB) flush()
    },
    finish() {
      if (rows.length > 0) flush()
      return [...verifyOwn(own, { root, trustTimes }), ...takeAll(crew, jobs)]
    },
    [Symbol.dispose]: () => crew[Symbol.dispose](),
  }
}

function verifyOwn(
  rows: readonly (readonly [path: string, row: Buffer])[],
  options: { root: string; trustTimes: boolean },
): Finding[] {
  const findings: Finding[] = []
  for (const [path, row] of rows) {
    const finding = verifyRow({ ...options, path, row })
    if (finding !== null) findings.push(finding)
  }
  return findings
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
