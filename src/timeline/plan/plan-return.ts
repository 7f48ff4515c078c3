import {
  carryOver,
  isAsLeft,
  isSuperseded,
  pathsOf,
  turnSuperseded,
  valueAt,
  type Cell,
  type CellId,
  type FileChange,
  type State,
  type Transition,
} from '../cell/index.ts'
import type { Merge } from '../text/index.ts'
import { sameValue, type ProjectPath, type Value } from '../data/index.ts'
import type { CellChange, World } from './plan-world.ts'

/**
 * The cells that change sides at a path that another turn created or deleted (cell.3). If the files
 * are unchanged since the operation, only later turns count, because everything else is restored
 * exactly.
 */
export function findSuperseded(
  world: World,
  cells: readonly CellChange[],
  { seq, untouched }: { seq: number; untouched: boolean },
): ReadonlySet<CellId> {
  const moved = cells.filter(({ before, after }) => before.in !== after.in)
  const own = new Set(moved.map(({ after }) => after.id))
  const others = world.cells.filter(
    (cell) => cell.in && !own.has(cell.id) && (!untouched || cell.seq > seq),
  )
  const found = moved.filter(({ before }) => isSuperseded(before, others, () => true))
  return new Set(found.map(({ after }) => after.id))
}

/** Whether the operation moved files at this path and all of them are superseded now. */
export function isAllSuperseded(
  path: ProjectPath,
  cells: readonly CellChange[],
  superseded: ReadonlySet<CellId>,
): boolean {
  const moved = cells.filter(
    ({ before, after }) =>
      before.in !== after.in && after.directory === undefined && pathsOf(after).includes(path),
  )
  return moved.length > 0 && moved.every(({ after }) => superseded.has(after.id))
}

export function leftAsItIs(value: Value): Merge {
  return { kind: 'merged', value, how: 'same', kept: [] }
}

/**
 * Moves the cell back to its old side. Under the newer file that changes nothing, so it keeps its
 * recorded values.
 */
export function returnSuperseded({ before: present, after }: CellChange, stamp: number): Cell {
  const { reverted, revertedSeq } = after
  return { ...turnSuperseded(present, after.in ? 'in' : 'out', stamp), reverted, revertedSeq }
}

/** Whether a turn changed or renamed the cell's file after the operation moved the cell. */
export function isChangedSince(
  { before, after }: CellChange,
  { cells }: World,
  seq: number,
): boolean {
  const isOf = (cell: Cell): boolean => pathsOf(cell).includes(after.path)
  return before.in !== after.in && cells.some((cell) => cell.seq > seq && isOf(cell))
}

/**
 * Records that the cell was away when that turn changed the file, because the turn's values do not
 * include it.
 */
export function keepFlips({ before: present }: CellChange, back: Cell, stamp: number): Cell {
  return { ...back, since: stamp, earlier: [...present.earlier, present.since] }
}

/**
 * Returns a cell to its old side where others changed the file since. It must record what was
 * replaced and written now. With its old record, a redo would bring back a line that the user
 * deleted meanwhile.
 */
export function returnCell(
  { before: present, after: cell }: CellChange,
  cells: readonly CellChange[],
  done: { files: readonly FileChange[]; world: World; after: State },
): Cell {
  if (present.in === cell.in) return cell
  const { files, world, after } = done
  function transition(path: ProjectPath): Transition {
    const post = valueAt(after, path)
    const newest = cells
      .filter((other) => other.before.in !== other.after.in && pathsOf(other.after).includes(path))
      .every((other) => other.after.seq <= cell.seq)
    return { pre: newest ? valueAt(world.now, path) : post, post }
  }
  const last = transition(cell.path)
  if (cell.renamedFrom !== null) return { ...cell, last, lastFrom: transition(cell.renamedFrom) }
  if (!cell.in) return { ...cell, last }
  if (isTwinNow(present, world, after)) return { ...cell, eff: present.eff, last: { ...last, twin: { last: present.last, eff: present.eff } } } // prettier-ignore
  const { post } = files.find((file) => file.path === cell.path)!
  const others = { pre: post, post: valueAt(world.now, cell.path) }
  const eff = carryOver(world.contents, cell.eff, others)
  return { ...cell, last, eff: eff ?? [{ before: last.pre, after: last.post }] }
}

/**
 * Whether another turn left the same file meanwhile. Then it must stay until both are out (sem.V5).
 */
function isTwinNow(cell: Cell, { cells, now }: World, after: State): boolean {
  const value = valueAt(now, cell.path)
  const isLeftAlone = sameValue(valueAt(after, cell.path), value)
  return isLeftAlone && cells.some((other) => isAsLeft(other, cell, value))
}
