import type { Cell } from './cell.ts'
import type { FileChange } from './move-fold.ts'
import type { Plan } from './plan-result.ts'
import { findEmptied, parentsOf, plannedPaths } from './plan-tree.ts'
import type { CellChange } from './plan-world.ts'
import type { ProjectPath } from './value.ts'

/**
 * Which directories stand again and which may go. The last of the moves of a directory decides,
 * so that one that a turn made and a later turn removed is gone when both are undone. A directory
 * goes only if a moved turn made it and nothing is left in it (sem.M6).
 */
export function planDirectories(
  present: Iterable<ProjectPath>,
  changes: readonly FileChange[],
  cells: readonly CellChange[],
): Pick<Plan, 'emptied' | 'made'> {
  const wanted = new Map<ProjectPath, number | 'gone'>()
  const moved = inOrder(cells)
  for (const { in: isIn, madeDirectories } of moved)
    if (!isIn) for (const path of madeDirectories) wanted.set(path, 'gone')
  for (const { in: isIn, path, directory } of moved)
    if (directory !== undefined)
      wanted.set(path, (directory.change === 'made') === isIn ? directory.mode : 'gone')
  if (wanted.size === 0) return { emptied: [], made: [] }
  const files = plannedPaths(present, changes)
  const made = [...wanted].flatMap(([path, mode]) => {
    // Where somebody put a file meanwhile, the file stays.
    const isTaken = [path, ...parentsOf(path)].some((each) => files.has(each as ProjectPath))
    return mode === 'gone' || isTaken ? [] : [{ path, mode }]
  })
  const standing = new Set(made.flatMap(({ path }) => [path, ...parentsOf(path)]))
  const gone = [...wanted].flatMap(([path, mode]) => (mode === 'gone' ? [path] : []))
  return {
    emptied: findEmptied(present, changes, new Set(gone.filter((path) => !standing.has(path)))),
    made: made.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** As the cells move: out newest first, then in oldest first (sem.V4). */
function inOrder(cells: readonly CellChange[]): Cell[] {
  const moved = cells.filter(({ before, after }) => before.in !== after.in)
  const after = moved.map((change) => change.after).toSorted((a, b) => a.seq - b.seq)
  return [...after.filter((cell) => !cell.in).toReversed(), ...after.filter((cell) => cell.in)]
}
