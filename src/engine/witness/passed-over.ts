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

/**
 * All turns of a session except this one and its ancestors: it went back past them, or forked
 * before them.
 */
export function passedOver(turns: ReadonlyMap<TurnId, Turn>, to: TurnId | null): Set<TurnId> {
  const passed = new Set(turns.keys())
  for (let at = to; at !== null && passed.delete(at); at = turns.get(at)?.parent ?? null);
  return passed
}

/**
 * The cells of passed-over turns whose effects were removed from the file, newest first (sem.C5).
 * The agent's own rewind does that, or a Retake that has lost its store since. The content proves
 * it if the file is as before the oldest cell, and each later cell continues where the previous one
 * ended.
 */
export function findRemovedCells(
  cells: readonly Cell[],
  passed: ReadonlySet<TurnId>,
  {
    path,
    content,
    valueAt = () => null,
  }: {
    path: ProjectPath
    content: Value
    /** The present value of another path; null if unknown. */
    valueAt?: (path: ProjectPath) => Value | null
  },
): Cell[] {
  const own = cells
    .filter((cell) => pathsOf(cell).includes(path) && cell.directory === undefined)
    .filter((cell) => cell.in && passed.has(cell.turn))
    // Without a stored content there is nothing to compare the file with.
    .filter((cell) => cell.eff.every(({ after }) => after.kind !== 'unknown'))
    .sort((a, b) => a.seq - b.seq)
  const oldest = own.findLastIndex(
    (cell, i) =>
      sameValue(beforeAt(cell, path), content) &&
      own.slice(i).every((each) => isBack(each)) &&
      own.slice(i + 1).every((next, j) => goesOn(own[i + j]!, next, path)),
  )
  return oldest < 0 ? [] : own.slice(oldest).toReversed()

  /** A rename is reversed only if the file is at its old path and nothing is at its new one. */
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

/**
 * The value at one of the cell's paths before the turn: before a rename, the new path was absent.
 */
function beforeAt({ renamedFrom, eff }: Cell, path: ProjectPath): Value {
  return renamedFrom === null || renamedFrom === path ? eff[0]!.before : absent
}

/**
 * The cell, found to be out as of this number. No move of Retake's did that, so `last` is cleared.
 */
export function markRemoved(cell: Cell, stamp: number): Cell {
  const earlier = [...cell.earlier, cell.since]
  return { ...cell, in: false, since: stamp, earlier, last: null, lastFrom: null }
}
