import type { OpenSession } from '#agents'
import type { Sighting } from '#store'
import { authorAt, TICK, type Witnesses } from './authors.ts'
import { SLACK } from './explain-writes.ts'

/** An allowed edit is written at once, and its hooks end soon. */
const MAX_EDIT_MS = 60_000

/**
 * Whether it is too early to decide about what was seen. The agent writes a file first and records
 * the edit after its hooks have ended; in between, the change looks like an interrupted edit or the
 * user's own, and the ledger would keep that for good (sem.A2). Everything waits then: a change of
 * one path can explain that of another.
 */
export function isTooEarly(
  sightings: readonly Sighting[],
  witnesses: Witnesses,
  { now, lastRows }: Recording,
): boolean {
  return sightings.some((sighting) => {
    const changedAt = sighting.changedAt ?? sighting.at
    const edits = witnesses.unseen.filter(
      ({ path, runsSince = Infinity }) =>
        path !== undefined && runsSince - TICK <= changedAt && runsSince + MAX_EDIT_MS > now,
    )
    if (edits.some(({ path }) => isMadeBy(sighting, path!))) return true
    if (authorAt(witnesses, sighting).kind === 'turn') return false
    // The hooks of an edit, such as a formatter, change other files too.
    if (edits.length > 0) return true
    // A row that is later than the change shows that the agent has recorded everything up to it.
    return now - changedAt <= SLACK && lastRows.some((at) => at <= changedAt)
  })
}

export interface Recording {
  readonly now: number
  /** For each session whose agent is at work: the time of its last row. */
  readonly lastRows: readonly number[]
}

/** An edit tool writes its file, and makes the directories that the file needs. */
function isMadeBy({ path, directory }: Sighting, edited: string): boolean {
  return path === edited || (directory?.change === 'made' && edited.startsWith(`${path}/`))
}

/** When the agent last wrote to the session's transcript, as far as its rows tell. */
export function lastRowOf(session: OpenSession): number {
  const ends = session.conversation.turns.map(({ turn }) => session.factsOf(turn.id).ended ?? 0)
  return Math.max(0, ...ends.slice(-2))
}
