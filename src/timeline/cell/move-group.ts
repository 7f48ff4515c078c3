import { isTwin, pathsOf, recordedAt, wasIn, type Cell, type CellId, type Side } from './cell.ts'
import type { ProjectPath } from '../data/index.ts'

/** A cell that an operation takes to the other side. */
export interface Move {
  readonly cell: Cell
  readonly to: Side
}

/**
 * Moves that must be planned as one, because they meet at a path. Nearly always that is one path;
 * a rename ties two together, and a choice or a conflict then counts for both (sem.M5).
 */
export interface MoveGroup {
  readonly paths: readonly ProjectPath[]
  readonly moves: readonly Move[]
  readonly steps: readonly Move[]
}

export function groupMoves(cells: readonly Cell[], moves: readonly Move[]): MoveGroup[] {
  const resting = restingCells(cells, moves)
  const company = new Map(moves.map(({ cell }) => [cell, findLifted(resting, cell)]))
  const twins = findTwins(cells, moves)
  const all = new Set([
    ...moves.flatMap(({ cell }) => [cell, ...company.get(cell)!]),
    ...twins.map(({ cell }) => cell),
  ])
  return joinByPath(all).map((members) => {
    const own = moves.filter((move) => members.has(move.cell))
    const around = twins.filter((move) => members.has(move.cell))
    return {
      paths: [...new Set([...members].flatMap(pathsOf))].sort(),
      moves: own,
      steps: orderSteps([...own, ...around], company),
    }
  })
}

/**
 * Cells that found their effect made by another turn, where that other one may go now. They go out
 * before it and come in after it, so that the file stays (sem.V5).
 */
function findTwins(cells: readonly Cell[], moves: readonly Move[]): Move[] {
  const moved = new Set<CellId>(moves.map((move) => move.cell.id))
  const outs = moves.filter(({ to }) => to === 'out').map(({ cell }) => cell)
  const isAbove = (twin: Cell): boolean =>
    outs.some((cell) => cell.path === twin.path && outOrder(cell) < outOrder(twin))
  const twins = cells.filter((cell) => isTwin(cell) && !moved.has(cell.id) && isAbove(cell))
  return twins.flatMap((cell) => [
    { cell, to: 'out' as const },
    { cell, to: 'in' as const },
  ])
}

/** The newest goes out first. A twin does as long as the file is as it found it. */
function outOrder(cell: Cell): number {
  return isTwin(cell) ? cell.since : cell.seq
}

/** The cells that are out and that the operation does not move, by path. */
function restingCells(cells: readonly Cell[], moves: readonly Move[]): Map<ProjectPath, Cell[]> {
  const moved = new Set<CellId>(moves.map((move) => move.cell.id))
  const byPath = new Map<ProjectPath, Cell[]>()
  for (const cell of cells) {
    if (cell.in || moved.has(cell.id)) continue
    for (const path of pathsOf(cell)) {
      const list = byPath.get(path)
      if (list === undefined) byPath.set(path, [cell])
      else list.push(cell)
    }
  }
  return byPath
}

/**
 * Older cells that were in when what a moved cell knows was recorded, and are out now (sem.V5).
 * Moving without them would apply a change in company it was never seen in: undoing a turn that
 * deleted a line would bring back a line of a turn that is itself taken out.
 */
function findLifted(
  resting: ReadonlyMap<ProjectPath, readonly Cell[]>,
  cell: Cell,
): ReadonlySet<Cell> {
  const candidates = pathsOf(cell).flatMap((path) => resting.get(path) ?? [])
  return new Set(
    candidates.filter((older) => older.seq < cell.seq && wasIn(older, recordedAt(cell))),
  )
}

/**
 * Out newest first, then in oldest first (sem.V4). Each cell moves in exactly the company it
 * knows: one that was lifted for the cell before must not stay for one that never saw it.
 */
function orderSteps(
  moves: readonly Move[],
  company: ReadonlyMap<Cell, ReadonlySet<Cell>>,
): readonly Move[] {
  const places = placesInTime(moves.map(({ cell }) => cell))
  const outPlace = ({ cell }: Move): number => places.get(cell) ?? outOrder(cell)
  const inPlace = ({ cell }: Move): number => places.get(cell) ?? cell.seq
  const outs = moves.filter(({ to }) => to === 'out').toSorted((a, b) => outPlace(b) - outPlace(a))
  const ins = moves.filter(({ to }) => to === 'in').toSorted((a, b) => inPlace(a) - inPlace(b))
  const steps: Move[] = []
  let lifted: ReadonlySet<Cell> = new Set()
  function lift(wanted: ReadonlySet<Cell>) {
    const leave = [...lifted].filter((cell) => !wanted.has(cell))
    const come = [...wanted].filter((cell) => !lifted.has(cell))
    steps.push(
      ...oldestFirst(leave.map((cell) => ({ cell, to: 'out' as const }))).toReversed(),
      ...oldestFirst(come.map((cell) => ({ cell, to: 'in' as const }))),
    )
    lifted = wanted
  }
  for (const move of [...outs, ...ins]) {
    lift(company.get(move.cell) ?? new Set())
    steps.push(move)
  }
  lift(new Set())
  return steps
}

/**
 * Where a renamed file belongs in time when its turn then made another file at its old path: before
 * that one, though the turn changed the renamed file again later (sem.M5).
 */
function placesInTime(cells: readonly Cell[]): ReadonlyMap<Cell, number> {
  const places = new Map<Cell, number>()
  for (const cell of cells) {
    const inItsPlace = cells.find(
      ({ turn, path, renamedFrom, eff }) =>
        turn === cell.turn &&
        path === cell.renamedFrom &&
        renamedFrom === null &&
        eff[0]?.before.kind === 'absent' &&
        eff.at(-1)?.after.kind !== 'absent',
    )
    if (inItsPlace !== undefined) places.set(cell, Math.min(cell.seq, inItsPlace.seq - 0.5))
  }
  return places
}

function oldestFirst(moves: readonly Move[]): Move[] {
  return moves.toSorted((a, b) => a.cell.seq - b.cell.seq)
}

/** Cells that share a path, directly or through others, belong together. */
function joinByPath(cells: Iterable<Cell>): Set<Cell>[] {
  const groupOf = new Map<ProjectPath, Set<Cell>>()
  for (const cell of cells) {
    const found = pathsOf(cell).flatMap((path) => groupOf.get(path) ?? [])
    const joined = found[0] ?? new Set<Cell>()
    joined.add(cell)
    for (const path of pathsOf(cell)) groupOf.set(path, joined)
    for (const other of found)
      if (other !== joined)
        for (const member of other) {
          joined.add(member)
          for (const path of pathsOf(member)) groupOf.set(path, joined)
        }
  }
  return [...new Set(groupOf.values())]
}
