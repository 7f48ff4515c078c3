import type { BranchRecord } from '../../session-file.ts'
import { readFirstRow, type CodexSession } from '../session/index.ts'
import type { Cut } from './cut.ts'

interface NewRollout {
  readonly cut: Cut | null
  readonly at: Date
  /** Set for a new thread. */
  readonly branch?: { readonly id: string; readonly record: BranchRecord & { title: string } }
}

/**
 * The first line of a rollout that continues another one, as the agent itself writes it for a revert
 * or a fork. Null if the present first line cannot be read.
 */
export function firstLine({ file }: CodexSession, { cut, at, branch }: NewRollout): Buffer | null {
  const row = readFirstRow(file.path)
  if (row?.payload == null) return null
  const { history_base: _, retake: __, ...rest } = row.payload
  const payload = {
    ...(branch === undefined ? {} : { retake: branch.record }),
    ...rest,
    ...(branch === undefined ? {} : idsOf(branch.id, file.id, cut)),
    timestamp: at.toISOString(),
    ...(cut === null ? {} : { history_base: baseOf(cut) }),
  }
  const line = {
    timestamp: at.toISOString(),
    ...(row.ordinal === null ? {} : { ordinal: cut?.ordinal ?? 0 }),
    type: 'session_meta',
    payload,
  }
  return Buffer.from(`${JSON.stringify(line)}\n`)
}

function baseOf({ rollout, ordinal, offset }: Cut): object {
  return { thread_id: rollout, end_ordinal_exclusive: ordinal, end_byte_offset: offset }
}

function idsOf(id: string, parent: string, cut: Cut | null): object {
  return {
    session_id: id,
    id,
    forked_from_id: parent,
    ...(cut === null ? {} : { forked_from_ordinal_exclusive: cut.ordinal }),
  }
}
