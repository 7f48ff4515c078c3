import { pathsOf, recordedAt, wasIn, type Cell, type CellId, type Side } from './cell.ts'
import type { ProjectPath } from './value.ts'

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
  const outs = moves.filter((move) => move.to === 'out').map((move) => move.cell)
  const ins = moves.filter((move) => move.to === 'in').map((move) => move.cell)
  const stay = restingCells(cells, moves)
  const lifted = { out: findLifted(stay, outs), in: findLifted(stay, ins) }
  const all = [...new Set([...outs, ...ins, ...lifted.out, ...lifted.in])]
  return joinByPath(all).map((members) => {
    const here = new Set(members)
    const only = (list: Iterable<Cell>) => [...list].filter((cell) => here.has(cell))
    return {
      paths: [...new Set(members.flatMap(pathsOf))].sort(),
      moves: moves.filter((move) => here.has(move.cell)),
      steps: orderSteps({
        outs: only(outs),
        ins: only(ins),
        liftedForOut: only(lifted.out),
        liftedForIn: only(lifted.in),
      }),
    }
  })
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
  moved: readonly Cell[],
): Set<Cell> {
  const lifted = new Set<Cell>()
  const waiting = [...moved]
  for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
    for (const older of pathsOf(cell).flatMap((path) => resting.get(path) ?? [])) {
      if (lifted.has(older) || older.seq >= cell.seq) continue
      if (!wasIn(older, recordedAt(cell))) continue
      lifted.add(older)
      // A lifted cell moves too, so what it needs is lifted with it.
      waiting.push(older)
    }
  }
  return lifted
}

/** Out newest first, then in oldest first (sem.V4); what is lifted goes in before and out after. */
function orderSteps(cells: {
  outs: readonly Cell[]
  ins: readonly Cell[]
  liftedForOut: readonly Cell[]
  liftedForIn: readonly Cell[]
}): Move[] {
  const { outs, ins, liftedForOut, liftedForIn } = cells
  const without = (list: readonly Cell[], others: readonly Cell[]) =>
    list.filter((cell) => !others.includes(cell))
  return [
    ...oldestFirst(liftedForOut, 'in'),
    ...oldestFirst([...outs, ...without(liftedForOut, liftedForIn)], 'out').toReversed(),
    ...oldestFirst([...ins, ...without(liftedForIn, liftedForOut)], 'in'),
    ...oldestFirst(liftedForIn, 'out').toReversed(),
  ]
}

function oldestFirst(cells: readonly Cell[], to: Side): Move[] {
  return cells.toSorted((a, b) => a.seq - b.seq).map((cell) => ({ cell, to }))
}

/** Cells that share a path, directly or through others, belong together. */
function joinByPath(cells: readonly Cell[]): Cell[][] {
  const groupOf = new Map<ProjectPath, Cell[]>()
  for (const cell of cells) {
    const found = new Set(pathsOf(cell).flatMap((path) => groupOf.get(path) ?? []))
    const joined = [...found, cell]
    for (const member of joined) for (const path of pathsOf(member)) groupOf.set(path, joined)
  }
  return [...new Set(groupOf.values())]
}
