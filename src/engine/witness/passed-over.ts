import {
  absent,
  pathsOf,
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
    .filter((cell) => pathsOf(cell).includes(path) && cell.directory === undefined)
    .filter((cell) => cell.in && passed.has(cell.turn))
    // Of a file whose content nobody kept, what stands there tells nothing.
    .filter((cell) => cell.eff.every(({ after }) => after.kind !== 'unknown'))
    .sort((a, b) => a.seq - b.seq)
  const oldest = own.findLastIndex(
    (cell, i) =>
      sameValue(beforeAt(cell, path), content) &&
      own.slice(i).every((each) => isBack(each)) &&
      own.slice(i + 1).every((next, j) => goesOn(own[i + j]!, next, path)),
  )
  return oldest < 0 ? [] : own.slice(oldest).toReversed()

  /** A renamed file is back only if it stands at its old path, and nothing at its new one. */
  function isBack(cell: Cell): boolean {
    if (cell.renamedFrom === null) return true
    const [old, now] = [cell.renamedFrom, cell.path].map((at) =>
      at === path ? content : valueAt(at),
    )
    return old != null && sameValue(old, cell.eff[0]!.before) && now?.kind === 'absent'
  }
}

function goesOn(cell: Cell, next: Cell, path: ProjectPath): boolean {
  const after = cell.path === path ? cell.eff.at(-1)!.after : absent
  return sameValue(after, beforeAt(next, path))
}

/** What stood at one of the cell's paths; a renamed file stood at its old one, and not at its new. */
function beforeAt({ renamedFrom, eff }: Cell, path: ProjectPath): Value {
  return renamedFrom === null || renamedFrom === path ? eff[0]!.before : absent
}

/** A cell whose effect was found to be gone, at that moment. Its latest move tells nothing of that. */
export function takenOut(cell: Cell, stamp: number): Cell {
  const earlier = [...cell.earlier, cell.since]
  return { ...cell, in: false, since: stamp, earlier, last: null, lastFrom: null }
}
