import type { OpenSession, TurnFacts } from '#agents'
import { allScans, type Scan, type Store } from '#store'
import type { Tree, TurnId } from '#timeline'

/** Turns with `whole-tree` coverage: Retake saw all of their file changes. */
export function coveredTurns(store: Store, session: OpenSession, tree: Tree): Set<TurnId> {
  const scans = allScans(store)
  if (scans.length === 0) return new Set()
  const ran = scanTimes(scans)
  const covered = new Set<TurnId>()
  for (const { turn } of session.conversation.turns) {
    const before = tree.turns.get(turn.id)?.parent ?? null
    const past = before === null || !tree.turns.has(before) ? null : session.factsOf(before)
    if (isWholeTree(session.factsOf(turn.id), past, ran)) covered.add(turn.id)
  }
  return covered
}

/** Answers by binary search: a project may have thousands of scans, and a session of turns. */
interface ScanTimes {
  readonly newest: number
  /** The earliest end of all scans that began at this time or later. */
  firstEnd(from: number): number
}

function scanTimes(scans: readonly Scan[]): ScanTimes {
  const sorted = scans.toSorted((a, b) => a.began - b.began)
  const ends = sorted.map(({ at }) => at)
  for (let n = ends.length - 2; n >= 0; n -= 1) ends[n] = Math.min(ends[n]!, ends[n + 1]!)
  return {
    newest: sorted.at(-1)!.began,
    firstEnd(from) {
      let [low, high] = [0, sorted.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (sorted[middle]!.began >= from) high = middle
        else low = middle + 1
      }
      return ends[low] ?? Infinity
    },
  }
}

/**
 * Whether all file changes of a turn are known: a scan ran after the previous turn's end and before
 * this turn's first step, and another one after this turn's end.
 */
function isWholeTree(turn: TurnFacts, before: TurnFacts | null, scans: ScanTimes): boolean {
  const { started: first, ended: last } = turn
  if (first === null || last === null) return false
  const earliest = before?.ended ?? Number.NEGATIVE_INFINITY
  return scans.firstEnd(earliest) <= first && scans.newest >= last
}
