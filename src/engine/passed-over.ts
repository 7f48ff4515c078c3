import {
  absent,
  sameValue,
  type Cell,
  type ProjectPath,
  type Turn,
  type TurnId,
  type Value,
} from '#timeline'

/** The turns of a session that do not lead to this one: it went back past them, or forked before. */
export function passedOver(turns: ReadonlyMap<TurnId, Turn>, to: TurnId | null): Set<TurnId> {
  const passed = new Set(turns.keys())
  for (let at = to; at !== null && passed.delete(at); at = turns.get(at)?.parent ?? null);
  return passed
}

/**
 * The cells of passed-over turns that somebody else took out of the file, newest first (sem.C5):
 * the agent's own rewind does that, and Retake itself whose store was lost since. What stands in
 * the file tells: as before the oldest of them, if each of the others went on from where the one
 * before it ended.
 */
export function findTakenOut(
  cells: readonly Cell[],
  passed: ReadonlySet<TurnId>,
  {
    path,
    content,
    valueAt = () => null,
  }: {
    path: ProjectPath
    content: Value
    /** What stands elsewhere; null if that is not known. */
    valueAt?: (path: ProjectPath) => Value | null
  },
): Cell[] {
  const own = cells
    .filter((cell) => cell.path === path && cell.directory === undefined)
    .filter((cell) => cell.in && passed.has(cell.turn))
    // Of a file whose content nobody kept, what stands there tells nothing.
    .filter((cell) => cell.eff.every(({ after }) => after.kind !== 'unknown'))
    .sort((a, b) => a.seq - b.seq)
  const oldest = own.findLastIndex(
    (cell, i) =>
      sameValue(beforeAt(cell), content) &&
      own.slice(i).every((each) => isBack(each)) &&
      own.slice(i + 1).every((next, j) => goesOn(own[i + j]!, next)),
  )
  return oldest < 0 ? [] : own.slice(oldest).toReversed()

  /** A renamed file is back only if it stands at its old path. */
  function isBack({ renamedFrom, eff }: Cell): boolean {
    if (renamedFrom === null) return true
    const old = valueAt(renamedFrom)
    return old !== null && sameValue(old, eff[0]!.before)
  }
}

function goesOn(cell: Cell, next: Cell): boolean {
  return sameValue(cell.eff.at(-1)!.after, beforeAt(next))
}

/** What stood at the cell's path; of a renamed file the effect has what stood at the old one. */
function beforeAt({ renamedFrom, eff }: Cell): Value {
  return renamedFrom === null ? eff[0]!.before : absent
}

/** A cell whose effect was found to be gone, at that moment. Its latest move tells nothing of that. */
export function takenOut(cell: Cell, stamp: number): Cell {
  const earlier = [...cell.earlier, cell.since]
  return { ...cell, in: false, since: stamp, earlier, last: null, lastFrom: null }
}
