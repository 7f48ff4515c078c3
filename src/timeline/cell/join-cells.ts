import { pathsOf, type Cell, type Change, type Doubt, type Link } from './cell.ts'
import { sameValue, type ProjectPath, type TurnId } from '../data/index.ts'

export interface Owner {
  readonly turn: TurnId
  readonly doubt: Doubt | null
}

/**
 * The cells after a turn moved a file back to where it had renamed it from, or deleted it at its new
 * path: its renames have no effect then. Null if the link does not end renames of its turn, or if
 * something else was at the old path since.
 */
export function endRenames(
  cells: readonly Cell[],
  link: Link,
  owner: Owner,
): readonly Cell[] | null {
  const isDeletion = link.renamedFrom === null && link.after.kind === 'absent'
  if (link.directory !== undefined || (link.renamedFrom === null && !isDeletion)) return null
  const renames = findRenames(cells, link, owner)
  const first = renames.at(-1)
  if (first === undefined || (!isDeletion && first.renamedFrom !== link.path)) return null
  const path = first.renamedFrom!
  const others = cells.filter(
    (cell) =>
      cell.seq > first.seq &&
      pathsOf(cell).includes(path) &&
      !renames.includes(cell) &&
      !(cell.directory !== undefined && isOwn(cell, owner)),
  )
  // The turn may have made another file at the old path before it deleted the renamed one.
  if (others.some((cell) => !isDeletion || !isPlain(cell, owner) || !isNew(cell))) return null
  const joined = [...renames.toReversed(), ...others]
  const eff = joinChanges([
    { before: first.eff[0]!.before, after: link.after },
    ...others.flatMap((cell) => cell.eff),
  ])
  return replaceCells(cells, joined, {
    ...joinedFrom(joined, path, eff),
    seq: link.seq,
    changes: countChanges(joined) + 1,
    madeDirectories: [...madeBy(joined), ...(link.madeDirectories ?? [])],
  })
}

/** The turn's renames that brought the file to where the link found it, newest first. */
function findRenames(cells: readonly Cell[], link: Link, owner: Owner): Cell[] {
  const renames: Cell[] = []
  let path: ProjectPath | null = link.renamedFrom ?? link.path
  let value = link.before
  for (;;) {
    const rename = cells.findLast(
      (cell) =>
        cell.renamedFrom !== null &&
        cell.path === path &&
        isOwn(cell, owner) &&
        sameValue(cell.eff[0]!.after, value) &&
        !renames.includes(cell),
    )
    if (rename === undefined) return renames
    renames.push(rename)
    if (rename.renamedFrom === link.path) return renames
    path = rename.renamedFrom
    value = rename.eff[0]!.before
  }
}

/** Joins a cell with another one that its turn has at the path to which a file moved (cell.1). */
export function joinAtPath(cells: readonly Cell[], cell: Cell): readonly Cell[] {
  if (cell.directory !== undefined || cell.renamedFrom !== null) return cells
  const other = cells.find(
    (each) => each !== cell && each.path === cell.path && isPlain(each, cell),
  )
  if (other === undefined) return cells
  const joined = [other, cell]
  const eff = joinChanges(joined.flatMap((each) => each.eff))
  return replaceCells(cells, joined, {
    ...joinedFrom(joined, cell.path, eff),
    seq: cell.seq,
  })
}

/** One cell in the place of several: it keeps the identity of the oldest. */
function joinedFrom(joined: readonly Cell[], path: ProjectPath, eff: readonly Change[]): Cell {
  return {
    ...joined[0]!,
    path,
    renamedFrom: null,
    eff,
    // The file no longer has what the last move wrote.
    last: null,
    lastFrom: null,
    changes: countChanges(joined),
    madeDirectories: madeBy(joined),
  }
}

function replaceCells(
  cells: readonly Cell[],
  joined: readonly Cell[],
  whole: Cell,
): readonly Cell[] {
  return cells.flatMap((cell) => {
    if (cell === joined[0]) return whole.eff.length === 0 ? [] : [whole]
    return joined.includes(cell) ? [] : [cell]
  })
}

function joinChanges(changes: readonly Change[]): readonly Change[] {
  const joined: Change[] = []
  for (const change of changes) {
    const last = joined.at(-1)
    if (last !== undefined && sameValue(last.after, change.before))
      joined.splice(-1, 1, { before: last.before, after: change.after })
    else joined.push(change)
  }
  return joined.filter(({ before, after }) => !sameValue(before, after))
}

function countChanges(cells: readonly Cell[]): number {
  return cells.reduce((sum, { changes }) => sum + changes, 0)
}

function madeBy(cells: readonly Cell[]): readonly ProjectPath[] {
  return cells.flatMap(({ madeDirectories }) => madeDirectories)
}

/** A cell that is out must not grow (sem.A4). */
function isOwn(cell: Cell, { turn, doubt }: Owner): boolean {
  return cell.turn === turn && cell.doubt === doubt && cell.in
}

function isPlain(cell: Cell, owner: Owner): boolean {
  return isOwn(cell, owner) && cell.directory === undefined && cell.renamedFrom === null
}

function isNew({ eff }: Cell): boolean {
  return eff[0]!.before.kind === 'absent'
}
