import { shortId } from '../data/index.ts'
import type { ChangedBy } from '../plan/index.ts'

/** A file in which an operation kept the changes of a turn outside of it. */
export interface KeptBy extends ChangedBy {
  readonly path: string
}

/** Names a turn in a sentence, relative to a session: "turn 2", "turn 2 of session 5fbd6c2a". */
export function wordsForChangedBy({ session, turn }: ChangedBy, own: string): string {
  const name = turn === null ? null : `turn ${turn}`
  if (session === own) return name ?? 'another turn'
  const other = `session ${shortId(session)}`
  return name === null ? other : `${name} of ${other}`
}

/** Groups kept files by the author of the kept changes. The user's come first, as `null`. */
export function groupKept(
  { filesKept, keptBy = [] }: { filesKept: readonly string[]; keptBy?: readonly KeptBy[] },
  own: string,
): [who: string | null, paths: string[]][] {
  const whose = new Map(keptBy.map((each) => [each.path, wordsForChangedBy(each, own)]))
  const groups = Map.groupBy(filesKept, (path) => whose.get(path) ?? null)
  return [...groups].sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
}
