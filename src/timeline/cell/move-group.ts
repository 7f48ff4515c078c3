import { isTwin, pathsOf, recordedAt, wasIn, type Cell, type CellId, type Side } from './cell.ts'
import { lifeAfter } from './file-life.ts'
import { isSuperseded, supersedes } from './supersede.ts'
import { sameValue, type ProjectPath } from '../data/index.ts'

/** A cell that an operation moves to the other side. */
export interface Move {
  readonly cell: Cell
  readonly to: Side
}

/**
 * Moves that must be planned together because they share a path. Usually that is one path. A rename
 * joins two, and a choice or conflict then counts for both (sem.M5).
 */
export interface MoveGroup {
  readonly paths: readonly ProjectPath[]
  /**
   * Paths at which another file is now. It stays, and the moves work as if nothing were there.
   */
  readonly replaced?: ReadonlySet<ProjectPath>
  /** All cells at these paths, moved or not, without those of replacing files. */
  readonly around: readonly Cell[]
  readonly moves: readonly Move[]
  readonly steps: readonly Move[]
}

export function groupMoves(cells: readonly Cell[], moves: readonly Move[]): MoveGroup[] {
  const ledger = indexCells(cells, moves)
  const company = new Map<Cell, ReadonlySet<Cell>>()
  // The map grows during the loop, because cells that change sides for a move have company too.
  for (const { cell, to } of moves) company.set(cell, findCompany(ledger, cell, to))
  for (const found of company.values())
    for (const cell of found)
      if (!company.has(cell)) company.set(cell, findCompany(ledger, cell, 'out'))
  const twins = findTwins(cells, moves)
  const all = new Set([...company.keys(), ...twins.map(({ cell }) => cell)])
  return joinByPath(all).map((members) => {
    const own = moves.filter((move) => members.has(move.cell))
    const around = twins.filter((move) => members.has(move.cell))
    const paths = [...new Set([...members].flatMap(pathsOf))].sort()
    const all = [...new Set(paths.flatMap((path) => ledger.byPath.get(path) ?? []))]
    const replacing = findReplacing(all, own)
    const near = all.filter((cell) => !replacing.cells.has(cell))
    return {
      paths,
      replaced: replacing.paths,
      around: near,
      moves: own,
      steps: orderSteps([...own, ...around], { company, members, around: near }),
    }
  })
}

/**
 * Paths of renamed files that were deleted or renamed again, and where another file was made later.
 * If the whole life of the renamed file moves out, the other file is not part of it (sem.M5).
 */
function findReplacing(
  cells: readonly Cell[],
  moves: readonly Move[],
): { paths: ReadonlySet<ProjectPath>; cells: ReadonlySet<Cell> } {
  const isOut = new Set(moves.filter(({ to }) => to === 'out').map(({ cell }) => cell.id))
  const present = cells.filter((cell) => cell.in)
  const found = present.flatMap((cell) => {
    if (cell.renamedFrom === null || !isOut.has(cell.id)) return []
    const life = lifeAfter(cell, present)
    if (life === null || life.others.length === 0) return []
    const isWhole = life.own.every(({ id }) => isOut.has(id))
    const isMixed = life.others.some((other) => isOut.has(other.id) || isTwin(other))
    return isWhole && !isMixed ? [{ path: cell.path, others: life.others }] : []
  })
  return {
    paths: new Set(found.map(({ path }) => path)),
    cells: new Set(found.flatMap(({ others }) => others)),
  }
}

/**
 * Cells whose effect another turn had already made, if that turn may move out now. They move out
 * before it and in after it, so that the file stays (sem.V5).
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

/** The newest moves out first. For a twin, the time at which it moved in counts. */
function outOrder(cell: Cell): number {
  return isTwin(cell) ? cell.since : cell.seq
}

interface CellIndex {
  readonly byPath: ReadonlyMap<ProjectPath, readonly Cell[]>
  readonly moved: ReadonlySet<CellId>
  /** The cells that move in, oldest first. */
  readonly entering: ReadonlySet<CellId>
}

function indexCells(cells: readonly Cell[], moves: readonly Move[]): CellIndex {
  const byPath = new Map<ProjectPath, Cell[]>()
  for (const cell of cells)
    for (const path of pathsOf(cell)) {
      const list = byPath.get(path)
      if (list === undefined) byPath.set(path, [cell])
      else list.push(cell)
    }
  return {
    byPath,
    moved: new Set(moves.map((move) => move.cell.id)),
    entering: new Set(moves.flatMap(({ cell, to }) => (to === 'in' ? [cell.id] : []))),
  }
}

/**
 * Older cells that change sides while a cell moves (sem.V5). Cells that were in when its values
 * were recorded and are out now are lifted. Otherwise undoing a turn that deleted a line would
 * bring back a line of a turn that is out. Cells that moved in underneath a file that this cell
 * created or deleted are out during the move, and show once it is out.
 */
function findCompany(index: CellIndex, cell: Cell, to: Side): ReadonlySet<Cell> {
  // Those that move in with it are in when its turn comes.
  const isIn = (older: Cell): boolean => older.in || (to === 'in' && index.entering.has(older.id))
  const found = pathsOf(cell)
    .flatMap((path) => index.byPath.get(path) ?? [])
    .filter((older) => older.seq < cell.seq && isIn(older) !== wasIn(older, recordedAt(cell)))
  const over = findOver(index, cell, found)
  return new Set(
    found.filter((older) =>
      isIn(older) ? hides(cell, older, to) : !index.moved.has(older.id) && !over.has(older),
    ),
  )
}

/**
 * Cells of renamed files that were gone from the cell's path before it, and are out as a whole. The
 * cell found nothing there, with them or without (sem.M5).
 */
function findOver({ byPath }: CellIndex, cell: Cell, older: readonly Cell[]): ReadonlySet<Cell> {
  const renames = older.filter(
    ({ renamedFrom, path }) => renamedFrom !== null && path === cell.path,
  )
  const found = renames.flatMap((rename) => {
    const then = byPath.get(rename.path)!.filter((each) => wasIn(each, recordedAt(cell)))
    const life = lifeAfter(rename, then)
    if (life?.others.includes(cell) !== true) return []
    return [rename, ...life.own].some((each) => each.in) ? [] : [rename, ...life.own]
  })
  return new Set(found)
}

/** Whether the older cell is visible only while this one is out. */
function hides(cell: Cell, older: Cell, to: Side): boolean {
  // A file at the path of a directory that comes back has to go first. A file that one of them
  // renames and the other renames, creates or deletes has to be at its old path.
  if (to === 'in' && cell.directory === undefined)
    return renameSame(cell, older) || (cell.path !== older.path && supersedes(cell, older))
  if (supersedes(cell, older)) return true
  if (isTwin(cell) || isTwin(older) || cell.path !== older.path) return false
  if (cell.directory !== undefined || older.directory !== undefined) return false
  return sameValue(cell.eff.at(-1)!.after, older.eff.at(-1)!.after)
}

function renameSame(one: Cell, other: Cell): boolean {
  return one.renamedFrom !== null && one.renamedFrom === other.renamedFrom
}

/**
 * Out newest first, then in oldest first (sem.V4). Each cell moves in exactly the company it was
 * recorded with. A cell lifted for one move must not stay for the next if that was recorded without
 * it.
 */
function orderSteps(
  moves: readonly Move[],
  {
    company,
    members,
    around,
  }: {
    company: ReadonlyMap<Cell, ReadonlySet<Cell>>
    members: ReadonlySet<Cell>
    around: readonly Cell[]
  },
): readonly Move[] {
  const places = placesInTime(moves.map(({ cell }) => cell))
  const outPlace = ({ cell }: Move): number => places.get(cell) ?? outOrder(cell)
  const inPlace = ({ cell }: Move): number => places.get(cell) ?? cell.seq
  const outs = moves.filter(({ to }) => to === 'out').toSorted((a, b) => outPlace(b) - outPlace(a))
  const ins = moves.filter(({ to }) => to === 'in').toSorted((a, b) => inPlace(a) - inPlace(b))
  const steps: Move[] = []
  const sides = new Map<Cell, boolean>()
  const isIn = (cell: Cell): boolean => sides.get(cell) ?? cell.in
  function push(cell: Cell, to: Side) {
    steps.push({ cell, to })
    sides.set(cell, to === 'in')
  }
  /** Moves cells to the other side, each in the company it was recorded with. */
  function turn(cells: readonly Cell[]) {
    const leaving = newestFirst(cells.filter(isIn))
    const entering = newestFirst(cells.filter((cell) => !isIn(cell))).toReversed()
    for (const cell of [...leaving, ...entering]) {
      const known =
        steps.length > MAX_STEPS || isSuperseded(cell, around, isIn) ? [] : knownBy(cell)
      turn(known)
      push(cell, isIn(cell) ? 'out' : 'in')
      turn(known)
    }
  }
  /** If a file was created or deleted, moving in other company would give another file. */
  function knownBy(cell: Cell): Cell[] {
    return [...members].filter(
      (older) =>
        company.has(older) &&
        supersedes(cell, older) &&
        isIn(older) !== wasIn(older, recordedAt(cell)) &&
        !moved.has(older),
    )
  }
  const moved = new Set(moves.map(({ cell }) => cell))
  let turned: ReadonlySet<Cell> = new Set()
  function setTurned(wanted: ReadonlySet<Cell>) {
    const changed = [...turned, ...wanted].filter((cell) => turned.has(cell) !== wanted.has(cell))
    turn(changed)
    turned = wanted
  }
  for (const { cell, to } of [...outs, ...ins]) {
    // A move without effect needs no company.
    const isIdle = isSuperseded(cell, around, (each) => isIn(each) !== turned.has(each))
    setTurned((isIdle ? undefined : company.get(cell)) ?? new Set())
    push(cell, to)
  }
  setTurned(new Set())
  return steps
}

/** Limits the work if many turns created and deleted the same file. */
const MAX_STEPS = 2000

/**
 * The position in time of a renamed file whose turn then created another file at its old path. It
 * comes before that file, even if the turn changed the renamed file again later (sem.M5).
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

function newestFirst(cells: readonly Cell[]): Cell[] {
  return cells.toSorted((a, b) => b.seq - a.seq)
}

/** Joins cells that share a path, directly or through other cells. */
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
