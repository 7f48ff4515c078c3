import type { Cell, CellId, Change, Link } from './cell.ts'
import { endRenames, joinAtPath, type Owner } from './join-cells.ts'
import { sameValue } from '../data/index.ts'

/** Builds cells from a ledger's links, in the order the links were recorded. */
export function cellsFromLinks(links: readonly Link[]): readonly Cell[] {
  return links.reduce<readonly Cell[]>(addLink, [])
}

/**
 * Adds one link to the cells. A turn's changes to a path are one cell. If someone else changed the
 * path in between, its effect is a list, so that undo can go around their lines.
 */
export function addLink(cells: readonly Cell[], link: Link): readonly Cell[] {
  const owner = ownerOf(link)
  if (owner === null) return cells
  const ended = endRenames(cells, link, owner)
  if (ended !== null) return ended
  // A cell that is out must not grow: text written after the undo is in the file (sem.A4).
  const index = cells.findLastIndex(
    (cell) =>
      cell.turn === owner.turn &&
      cell.doubt === owner.doubt &&
      cell.path === (link.renamedFrom ?? link.path) &&
      (cell.directory === undefined) === (link.directory === undefined) &&
      cell.in,
  )
  if (index >= 0 && link.directory !== undefined)
    return link.directory.change === cells[index]!.directory!.change
      ? cells
      : cells.toSpliced(index, 1)
  const grown = index < 0 ? null : growCell(cells[index]!, link)
  if (grown === null) return [...cells, makeCell(link, owner)]
  // A turn that restored the path to what it found has no effect on it.
  if (grown.eff.length === 0) return cells.toSpliced(index, 1)
  return joinAtPath(cells.with(index, grown), grown)
}

function ownerOf({ author }: Link): Owner | null {
  if (author.kind === 'turn') return { turn: author.turn, doubt: null }
  if (author.kind === 'shared' || author.kind === 'unsure')
    return { turn: author.turn, doubt: author.kind }
  return null
}

function makeCell(link: Link, owner: Owner): Cell {
  return {
    // The id uses the first link's number, so it stays the same while the cell grows and moves.
    id: `${owner.turn}:${link.seq}` as CellId,
    turn: owner.turn,
    path: link.path,
    renamedFrom: link.renamedFrom,
    seq: link.seq,
    in: true,
    since: link.seq,
    earlier: [],
    reverted: false,
    revertedSeq: null,
    eff: [{ before: link.before, after: link.after }],
    last: null,
    lastFrom: null,
    doubt: owner.doubt,
    changes: 1,
    madeDirectories: link.madeDirectories ?? [],
    ...(link.directory === undefined ? {} : { directory: link.directory }),
  }
}

/** Returns null if the link must be a cell of its own. */
function growCell(cell: Cell, link: Link): Cell | null {
  const newest = cell.eff.at(-1)!
  const joins = sameValue(newest.after, link.before)
  const grown: Cell = {
    ...cell,
    path: link.path,
    seq: link.seq,
    eff: joins
      ? [...cell.eff.slice(0, -1), { before: newest.before, after: link.after }]
      : [...cell.eff, { before: link.before, after: link.after }],
    // The file no longer has what the last move wrote.
    last: null,
    lastFrom: null,
    changes: cell.changes + 1,
    madeDirectories: [...cell.madeDirectories, ...(link.madeDirectories ?? [])],
  }
  if (cell.renamedFrom === null && link.renamedFrom === null)
    return { ...grown, eff: grown.eff.filter(hasEffect) }
  // A rename's effect spans two paths, so it can only be one change. A second rename or a deletion
  // on top of it becomes a cell of its own.
  const once = cell.renamedFrom === null || link.renamedFrom === null
  if (!joins || grown.eff.length > 1 || !once || link.after.kind === 'absent') return null
  // The same turn created and renamed it, so the old path never had a file.
  const made = newest.before.kind === 'absent'
  return { ...grown, renamedFrom: made ? null : (cell.renamedFrom ?? link.renamedFrom) }
}

function hasEffect(change: Change): boolean {
  return !sameValue(change.before, change.after)
}
