import { isOn, recordedAt, wasIn, type Cell, type Change, type Side } from './cell.ts'
import { sameValue, type Value } from '../data/index.ts'

/**
 * Whether a newer turn deleted the file after this cell, created it again, or left it as the cell
 * had found it. Then nothing of the older cell is in the file, and moving it must not change the
 * file (cell.3).
 */
export function supersedes(newer: Cell, older: Cell): boolean {
  if (older.directory !== undefined) return false
  if (newer.path !== older.path) return hasMovedTwin(newer, older) || endsAtOldPath(newer, older)
  // No file is at a path where a turn made or removed a directory, unless that turn's own file is
  // in the directory's place, or the other way round. A scan may number the two in either order.
  if (newer.directory !== undefined) {
    const isFile = older.eff.at(-1)!.after.kind !== 'absent'
    const isInItsPlace =
      newer.turn === older.turn && newer.directory.change === (isFile ? 'gone' : 'made')
    return newer.seq > older.seq && !isInItsPlace
  }
  const { before } = newer.eff[0]!
  const { after } = newer.eff.at(-1)!
  if (hasChangedSince(newer, older) && (after.kind === 'absent' || isAsFound(after))) return true
  // With several changes, the order relative to the older cell is unknown.
  if (newer.eff.length > 1 || madeAt(newer) <= older.seq) return false
  return newer.renamedFrom !== null || before.kind === 'absent' || isAsFound(before)

  function isAsFound(value: Value): boolean {
    const [change, more] = older.eff
    if (older.renamedFrom !== null || more !== undefined || change!.after.kind === 'absent')
      return false
    return sameValue(value, change!.before) && wasIn(older, newer.seq)
  }
}

/**
 * Whether the newer turn left or found the file as the older one had found it, while another turn
 * was in that is out now. That turn may have removed the older one's effect, and its own undo
 * brought it back: the values no longer tell.
 */
function isOutdated(
  newer: Cell,
  older: Cell,
  { cells, isIn }: { cells: readonly Cell[]; isIn: (cell: Cell) => boolean },
): boolean {
  if (newer.path !== older.path || newer.directory !== undefined || newer.renamedFrom !== null)
    return false
  // A turn that deletes the file or makes it anew supersedes all older ones.
  const ends = [newer.eff[0]!.before, newer.eff.at(-1)!.after]
  if (ends.some(({ kind }) => kind === 'absent')) return false
  const at = recordedAt(newer)
  return cells.some(
    (each) =>
      each.id !== newer.id &&
      each.path === older.path &&
      each.seq > older.seq &&
      wasIn(each, at) &&
      !isIn(each),
  )
}

/**
 * Whether the newer turn moved a file away that another turn had created in the older one's place,
 * or that was still there because the older one, which renames or deletes it, was out.
 */
function hasMovedTwin(newer: Cell, older: Cell): boolean {
  if (newer.renamedFrom === null || older.seq > newer.seq || wasIn(older, newer.seq)) return false
  if (older.renamedFrom !== null) return newer.renamedFrom === older.renamedFrom
  if (newer.renamedFrom !== older.path) return false
  return [older.eff[0]!.before, older.eff.at(-1)!.after].some(({ kind }) => kind === 'absent')
}

/**
 * Whether the newer turn deleted the file at the old path of a rename that was out, or made another
 * one there. Then the rename has no file to move.
 */
function endsAtOldPath(newer: Cell, older: Cell): boolean {
  if (older.renamedFrom !== newer.path || newer.renamedFrom !== null) return false
  if (newer.directory !== undefined || newer.seq < older.seq || wasIn(older, newer.seq))
    return false
  const [{ before }] = newer.eff as [Change]
  return newer.eff.at(-1)!.after.kind === 'absent' || before.kind === 'absent'
}

/** Whether one of these cells is in and supersedes it. */
export function isSuperseded(
  cell: Cell,
  others: readonly Cell[],
  isIn: (other: Cell) => boolean,
): boolean {
  return others.some(
    (other) =>
      other.id !== cell.id &&
      supersedes(other, cell) &&
      isIn(other) &&
      !isOutdated(other, cell, { cells: others, isIn }) &&
      !isRenameOut(other, others, isIn),
  )
}

/**
 * Whether the turn that made the directory renamed a file away from there, and that rename is out:
 * then the file is back in the directory's place, and an older cell can move it on.
 */
function isRenameOut(
  { turn, path, directory }: Cell,
  cells: readonly Cell[],
  isIn: (cell: Cell) => boolean,
): boolean {
  if (directory?.change !== 'made') return false
  return cells.some((each) => each.turn === turn && each.renamedFrom === path && !isIn(each))
}

/**
 * Moves the cell to its other side and keeps its recorded values, because the move changes nothing.
 */
export function turnSuperseded(cell: Cell, side: Side, stamp: number): Cell {
  if (isOn(cell, side)) return cell
  return {
    ...cell,
    in: side === 'in',
    since: stamp,
    earlier: [...cell.earlier, cell.since],
    superseded: { since: stamp, recordedAt: recordedAt(cell) },
  }
}

/**
 * Whether the last change of a cell came after an older cell. Turns of two sessions can overlap: a
 * cell that began before the other one may have continued from it, or may not have changed since.
 */
function hasChangedSince(newer: Cell, older: Cell): boolean {
  if (madeAt(newer) > older.seq) return true
  const [, ...later] = newer.eff
  const last = later.at(-1)
  return (
    last !== undefined && newer.seq > older.seq && sameValue(last.before, older.eff.at(-1)!.after)
  )
}

function madeAt({ earlier, since }: Cell): number {
  return earlier[0] ?? since
}
