import { readRanges, statPath } from '#disk'

/** Whether a turn runs, as far as the rollout shows, and since when. */
export interface TurnState {
  readonly status: 'idle' | 'busy'
  /** In ms since 1970; null if unknown. */
  readonly since: number | null
}

const CHUNK = 256 * 1024
/** A turn that wrote more than this since it began counts as running. */
const MAX_READ = 64 * 1024 * 1024
/** No string inside a row can contain these bytes: its quotes would be escaped. */
const MARK = /"payload":\{"type":"(task_started|task_complete|turn_aborted)"/g
const LONGEST_MARK = 64
const TIMESTAMP = /^\{"timestamp":"([^"]{1,40})"/

/**
 * Reads the rollout backward to the newest row that begins or ends a turn. A turn that a killed
 * process left open looks as if it ran, so this counts only for a session that a process has open.
 */
export function readTurnState(path: string): TurnState {
  const size = Number(statPath(path)?.size ?? 0)
  if (size === 0) return { status: 'idle', since: null }
  using file = readRanges(path)
  for (let end = size; end > 0 && size - end < MAX_READ; end -= CHUNK) {
    const start = Math.max(0, end - CHUNK)
    const length = Math.min(size, end + LONGEST_MARK) - start
    const text = file.read(start, length).toString('latin1')
    const found = [...text.matchAll(MARK)].at(-1)
    if (found === undefined) continue
    const before = text.slice(0, found.index)
    const line = before.slice(before.lastIndexOf('\n') + 1)
    const at = Date.parse(TIMESTAMP.exec(line)?.[1] ?? '')
    return {
      status: found[1] === 'task_started' ? 'busy' : 'idle',
      since: Number.isNaN(at) ? null : at,
    }
  }
  return { status: size > MAX_READ ? 'busy' : 'idle', since: null }
}
