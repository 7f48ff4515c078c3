import { verifyRow, type Finding } from './scan-verify.ts'

/**
 * The rows of a table where all threads see them, cut into chunks that each thread claims in turn:
 * one that starts late or never takes fewer, and nobody waits for it.
 */
export interface Share {
  readonly root: string
  readonly trustTimes: boolean
  /** Path and row, one after the other. */
  readonly bytes: SharedArrayBuffer
  /** Where each path and each row ends: two numbers a directory. */
  readonly ends: SharedArrayBuffer
  /** One number a chunk: free, claimed or done. */
  readonly states: SharedArrayBuffer
}

const PER_CHUNK = 256
const FREE = 0
const CLAIMED = 1
const DONE = 2

export function shareRows(
  root: string,
  rows: ReadonlyMap<string, Buffer>,
  trustTimes: boolean,
): Share {
  const paths = [...rows.keys()].map((path) => Buffer.from(path, 'utf16le'))
  const ends = new Uint32Array(new SharedArrayBuffer(rows.size * 8))
  let length = 0
  for (const [n, row] of [...rows.values()].entries()) {
    ends[n * 2] = length += paths[n]!.length
    ends[n * 2 + 1] = length += row.length
  }
  const bytes = new SharedArrayBuffer(length)
  const target = Buffer.from(bytes)
  for (const [n, row] of [...rows.values()].entries()) {
    target.set(paths[n]!, n === 0 ? 0 : ends[n * 2 - 1])
    target.set(row, ends[n * 2])
  }
  const states = new SharedArrayBuffer(Math.ceil(rows.size / PER_CHUNK) * 4)
  return { root, trustTimes, bytes, ends: ends.buffer, states }
}

/** Verifies chunks until none is free. Each one's findings are handed over before it is done. */
export function workOff(share: Share, handOver: (findings: Finding[]) => void): void {
  const states = new Int32Array(share.states)
  for (let chunk = 0; chunk < states.length; chunk += 1) {
    if (Atomics.compareExchange(states, chunk, FREE, CLAIMED) !== FREE) continue
    handOver(verifyChunk(share, chunk))
    Atomics.store(states, chunk, DONE)
    Atomics.notify(states, chunk)
  }
}

/** Waits for the chunks that others claimed; those of a thread that died are worked off here. */
export function waitForOthers(share: Share, patience: number): Finding[] {
  const states = new Int32Array(share.states)
  const late: Finding[] = []
  for (let chunk = 0; chunk < states.length; chunk += 1)
    if (Atomics.wait(states, chunk, CLAIMED, patience) === 'timed-out')
      late.push(...verifyChunk(share, chunk))
  return late
}

function verifyChunk(
  { root, trustTimes, bytes, ends: sharedEnds }: Share,
  chunk: number,
): Finding[] {
  const all = Buffer.from(bytes)
  const ends = new Uint32Array(sharedEnds)
  const findings: Finding[] = []
  const last = Math.min((chunk + 1) * PER_CHUNK, ends.length / 2)
  for (let n = chunk * PER_CHUNK; n < last; n += 1) {
    const path = all.toString('utf16le', n === 0 ? 0 : ends[n * 2 - 1], ends[n * 2])
    const row = all.subarray(ends[n * 2], ends[n * 2 + 1])
    const finding = verifyRow({ root, path, row, trustTimes })
    if (finding !== null) findings.push(finding)
  }
  return findings
}
