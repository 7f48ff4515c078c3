import type { TurnId } from '#timeline'
import { field, integer, string } from './field.ts'
import { readRow, type Row } from './read-row.ts'
import { openRolloutHead } from './open-rollout.ts'
import { pathOf } from './read-roots.ts'
import { isThreadId } from './rollout-name.ts'
import type { HistoryBase, RolloutMeta } from './rollout.ts'

export function metaOf({ payload, at }: Row): RolloutMeta | null {
  const thread = string(payload?.['id'])
  if (thread === null) return null
  const source = field(field(payload?.['source'], 'subagent'), 'thread_spawn')
  return {
    thread,
    at: string(payload!['timestamp']) ?? at,
    cwd: pathOf(payload!['cwd']),
    version: string(payload!['cli_version']),
    gitBranch: string(field(payload!['git'], 'branch')),
    forkedFrom: string(payload!['forked_from_id']),
    parent:
      string(payload!['parent_thread_id']) ??
      string(field(source, 'parent_thread_id')) ??
      // Reviews and other helpers of the agent do not name the thread that they belong to.
      (field(payload!['source'], 'subagent') === undefined ? null : ''),
    isPaginated: payload!['history_mode'] === 'paginated',
    base: baseOf(payload!['history_base']),
    branch: branchOf(payload!['retake']),
  }
}

function baseOf(value: unknown): HistoryBase | null {
  const rollout = string(field(value, 'thread_id'))
  const ordinal = integer(field(value, 'end_ordinal_exclusive'))
  const offset = integer(field(value, 'end_byte_offset'))
  if (rollout === null || !isThreadId(rollout) || ordinal === null || offset === null) return null
  return { rollout, ordinal, offset }
}

/** What Retake writes into a branch session that it makes. Codex ignores it. */
function branchOf(value: unknown): RolloutMeta['branch'] {
  const [parentSessionId, turn, title, rewoundAt] = [
    'parentSessionId',
    'turn',
    'title',
    'rewoundAt',
  ].map((name) => string(field(value, name)))
  const rewindFromTurn = integer(field(value, 'rewindFromTurn'))
  if (!parentSessionId || !turn || !title || !rewoundAt || rewindFromTurn === null) return null
  return { parentSessionId, turn: turn as TurnId, title, rewoundAt, rewindFromTurn }
}

const SHORT = 8 * 1024
const LONG = 4 * 1024 * 1024
const NEWLINE = 0x0a

/**
 * The first row of a rollout, for lists of many. The instructions, which are most of it, come after
 * everything that a list needs, except where the conversation begins.
 */
export function glanceMeta(path: string): RolloutMeta | null {
  try {
    using file = openRolloutHead(path)
    const first = file.read(0, SHORT)
    const newline = first.indexOf(NEWLINE)
    if (newline >= 0) return metaIn(first.subarray(0, newline))
    const cut = first.indexOf(',"base_instructions":')
    const known = cut < 0 ? null : metaIn(Buffer.concat([first.subarray(0, cut), CLOSING]))
    if (known !== null && known.cwd !== null) return known
    const whole = file.read(0, LONG)
    const end = whole.indexOf(NEWLINE)
    return end < 0 ? null : metaIn(whole.subarray(0, end))
  } catch {
    return null
  }
}

const CLOSING = Buffer.from('}}')

function metaIn(line: Buffer): RolloutMeta | null {
  const row = readRow(line, 0, line.length)
  return row?.type === 'session_meta' ? metaOf(row) : null
}
