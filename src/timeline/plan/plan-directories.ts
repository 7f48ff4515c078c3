import { pathsOf, type Cell, type FileChange } from '../cell/index.ts'
import type { Plan } from './plan-result.ts'
import { findEmptied, parentsOf, plannedPaths } from './plan-tree.ts'
import type { CellChange } from './plan-world.ts'
import type { ProjectPath, TurnId } from '../data/index.ts'

/** Used when a turn made a directory by writing a file into it, which does not record a mode. */
const DEFAULT_MODE = 0o755

/**
 * Finds the directories to make again and those to remove. All cells decide, not only those that
 * move: after a revert, a later undo may empty a directory that the reverted turn made (sem.X4). A
 * directory is removed only if a turn made it and it is empty (sem.M6).
 */
export function planDirectories(
  present: Iterable<ProjectPath>,
  changes: readonly FileChange[],
  changed: readonly CellChange[],
  all: readonly Cell[],
): Pick<Plan, 'emptied' | 'made'> {
  const moved = changed.filter(({ before, after }) => before.in !== after.in)
  const deleted = changes.filter(({ pre, post }) => pre.kind !== 'absent' && post.kind === 'absent')
  // If a deleted file had replaced a directory, that directory and those in it come back.
  const places = new Set<string>(deleted.map(({ path }) => path))
  const isBelow = ({ path, directory }: Cell): boolean =>
    directory !== undefined && [...parentsOf(path)].some((parent) => places.has(parent))
  const back = new Set(moved.flatMap(({ after }) => (after.in ? [] : placesOf(after))))
  const named = new Set([
    ...moved.flatMap(({ after }) => directoriesOf(after)),
    ...deleted.map(({ path }) => path),
    ...(places.size === 0 ? [] : all.filter(isBelow).map(({ path }) => path)),
    // A directory that stayed gone without its files comes back with them.
    ...all.flatMap(({ turn, path, directory }) =>
      directory?.change === 'gone' && back.has(`${turn} ${path}`) ? [path] : [],
    ),
  ])
  // A deletion may empty a directory that an earlier operation could not remove. Absent paths count
  // too: a file may have been renamed away from there.
  const going = changes.filter(({ post }) => post.kind === 'absent').map(({ path }) => path)
  const holding = moved.flatMap(({ after }) => (isHolding(after) ? [after] : []))
  const left = [...named, ...going, ...holding.map(({ path }) => path)].flatMap(
    (path) => [...parentsOf(path)] as ProjectPath[],
  )
  const candidates = new Set([...named, ...left])
  if (candidates.size === 0) return { emptied: [], made: [] }
  const after = new Map(changed.map((change) => [change.before.id, change.after]))
  const files = plannedPaths(present, changes)
  const wanted = wantedDirectories(
    candidates,
    all.map((cell) => after.get(cell.id) ?? cell),
    files,
  )
  const held = new Set(holding.map(({ id }) => id))
  const made = [...wanted].flatMap(([path, { mode, holder }]) => {
    // If someone put a file there meanwhile, the file stays.
    const isTaken = [path, ...parentsOf(path)].some((each) => files.has(each as ProjectPath))
    const comes = named.has(path) || (holder !== null && held.has(holder.id))
    return mode === 'gone' || isTaken || !comes ? [] : [{ path, mode }]
  })
  const standing = new Set(made.flatMap(({ path }) => [path, ...parentsOf(path)]))
  const gone = [...wanted].flatMap(([path, { mode }]) => (mode === 'gone' ? [path] : []))
  return {
    emptied: findEmptied(present, changes, new Set(gone.filter((path) => !standing.has(path)))),
    made: made.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** The directories above the cell's paths, each with its turn. */
function placesOf(cell: Cell): string[] {
  return pathsOf(cell).flatMap((path) =>
    [...parentsOf(path)].map((parent) => `${cell.turn} ${parent}`),
  )
}

interface Wanted {
  readonly mode: number | 'gone'
  /** The cell without which the directory would be gone. */
  readonly holder: Cell | null
}

/**
 * The newest cell that is in decides about a directory. If all are out, it is as it was before the
 * oldest. A directory that no cell names belongs to someone else. A cell that is in and created
 * something in the directory keeps it, even if the turn that made the directory is reverted: without
 * that turn, the directory would have been made for it. It keeps nothing if its own turn deleted that
 * again: a directory that the turn left empty has a cell of its own. A directory that a turn removed
 * stays gone while the files that the turn took from it do, unless others are in it.
 */
function wantedDirectories(
  candidates: ReadonlySet<ProjectPath>,
  cells: readonly Cell[],
  files: ReadonlySet<ProjectPath>,
): Map<ProjectPath, Wanted> {
  const about = new Map<ProjectPath, Cell[]>()
  const holders = new Map<string, Cell>()
  const left = lastLeft(cells)
  for (const cell of cells) {
    const isLeft = cell.directory === undefined && (left.get(cell.turn)?.get(cell.path) ?? -1) > cell.seq // prettier-ignore
    for (const path of isLeft ? [] : directoriesOf(cell)) {
      if (!candidates.has(path)) continue
      const list = about.get(path)
      if (list === undefined) about.set(path, [cell])
      else list.push(cell)
    }
    if (!isHolding(cell) || isLeft) continue
    for (const path of parentsOf(cell.path))
      if (candidates.has(path as ProjectPath) && (holders.get(path)?.seq ?? -1) < cell.seq)
        holders.set(path, cell)
  }
  const wanted = new Map<ProjectPath, Wanted>()
  for (const [path, list] of about) {
    const ordered = list.toSorted((a, b) => a.seq - b.seq)
    const isGone = (cell: Cell): boolean => isGoneWithFiles(cell, left) && !isAbove(path, files)
    const newest = ordered.findLast((cell) => cell.in || isGone(cell))
    const { change, mode } = changeOf(newest ?? ordered[0]!)
    const holder = holders.get(path)
    if ((change === 'made') === (newest !== undefined)) wanted.set(path, { mode, holder: null })
    else if (holder === undefined || (newest !== undefined && newest.seq > holder.seq))
      wanted.set(path, { mode: 'gone', holder: null })
    else {
      const maker = ordered.findLast((cell) => cell.seq <= holder.seq) ?? ordered[0]!
      wanted.set(path, { mode: changeOf(maker).mode, holder })
    }
  }
  return wanted
}

/** Whether the turn removed the directory and took a file from it that is still gone (sem.M6). */
function isGoneWithFiles(
  { turn, path, directory }: Cell,
  left: ReturnType<typeof lastLeft>,
): boolean {
  if (directory?.change !== 'gone') return false
  return isAbove(path, left.get(turn)?.keys() ?? [])
}

function isAbove(directory: ProjectPath, paths: Iterable<ProjectPath>): boolean {
  for (const path of paths) if (path.startsWith(`${directory}/`)) return true
  return false
}

/** For each turn and path, when the turn last deleted what was there or moved it away. */
function lastLeft(cells: readonly Cell[]): ReadonlyMap<TurnId, ReadonlyMap<ProjectPath, number>> {
  const left = new Map<TurnId, Map<ProjectPath, number>>()
  for (const { in: isIn, turn, seq, path, renamedFrom, directory, eff } of cells) {
    if (!isIn || directory !== undefined) continue
    const isGone = eff.at(-1)!.after.kind === 'absent'
    for (const each of [isGone ? path : null, renamedFrom]) {
      if (each === null) continue
      const own = left.get(turn) ?? new Map<ProjectPath, number>()
      left.set(turn, own.set(each, Math.max(seq, own.get(each) ?? -1)))
    }
  }
  return left
}

/** Whether the cell is in and created something, so that it needs its directories. */
function isHolding({ in: isIn, directory, renamedFrom, eff }: Cell): boolean {
  if (!isIn) return false
  if (directory !== undefined) return directory.change === 'made'
  const isNew = renamedFrom !== null || eff[0]!.before.kind === 'absent'
  return isNew && eff.at(-1)!.after.kind !== 'absent'
}

/** Directories made for a file that its turn then moved elsewhere have cells of their own, or are gone. */
function directoriesOf({ path, directory, madeDirectories }: Cell): readonly ProjectPath[] {
  return directory === undefined
    ? madeDirectories.filter((made) => path.startsWith(`${made}/`))
    : [path]
}

function changeOf({ directory }: Cell) {
  return directory ?? { change: 'made' as const, mode: DEFAULT_MODE }
}
