import { readRanges } from '#disk'
import type { TurnId } from '#timeline'
import type { BranchRecord } from '../../session-file.ts'
import { field, string } from '../rows/index.ts'

/**
 * The record is the first line of the file, so that it is found without Retake's store. The agent
 * skips lines of unknown types.
 */
const TYPE = 'retake-branch'
const PREFIX = Buffer.from(`{"type":"${TYPE}"`)
const MAX_RECORD_BYTES = 4096

export function branchRecordLine(session: string, record: BranchRecord): string {
  return `${JSON.stringify({ type: TYPE, ...record, sessionId: session })}\n`
}

export function readBranchRecord(path: string): BranchRecord | null {
  using file = readRanges(path)
  const bytes = file.read(0, Math.min(MAX_RECORD_BYTES, file.size))
  return branchRecordIn(bytes, bytes.length)
}

/** Reads it from the first `length` bytes of a file. */
export function branchRecordIn(bytes: Buffer, length: number): BranchRecord | null {
  const { length: least } = PREFIX
  if (length < least || PREFIX.compare(bytes, 0, least) !== 0) return null
  const row = parse(bytes.toString('utf8', 0, Math.min(length, Math.max(0, bytes.indexOf(10)))))
  const [parentSessionId, turn, rewoundAt] = ['parentSessionId', 'turn', 'rewoundAt'].map((name) =>
    string(field(row, name)),
  )
  const rewindFromTurn = field(row, 'rewindFromTurn')
  if (!parentSessionId || !turn || !rewoundAt || typeof rewindFromTurn !== 'number') return null
  return { parentSessionId, rewindFromTurn, turn: turn as TurnId, rewoundAt }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
