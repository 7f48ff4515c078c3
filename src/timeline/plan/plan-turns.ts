import {
  changesNothing,
  foldGroup,
  groupMoves,
  pathsOf,
  settleMoves,
  sidesOf,
  threeOf,
  valueAt,
  whyUnknown,
  type Cell,
  type CellId,
  type Fold,
  type Folded,
  type FoldInput,
  type Move,
  type MoveGroup,
} from '../cell/index.ts'
import { viewConflict } from '../text/index.ts'
import { isNeverWritten } from './plan-consent.ts'
import type { Proposal, Recorded } from './plan-draft.ts'
import type { NotCovered, NotCoveredReason } from './plan-result.ts'
import type { PlanOptions, World } from './plan-world.ts'
import { sameValue, type ProjectPath, type TurnId, type Value } from '../data/index.ts'

/**
 * Moves cells but leaves unsure changes in place. If an unsure change cannot be separated from a
 * turn's change, both stay. A conflict would wrongly say that someone changed the file since
 * (sem.A5).
 */
export function proposeAround(
  world: World,
  moves: readonly Move[],
  { left, options }: { left: readonly Cell[]; options: PlanOptions },
): ReturnType<typeof proposeMoves> {
  const found = proposeMoves(world, moves, options)
  const inDoubt = new Set(left.flatMap(pathsOf))
  const held = found.proposals.flatMap(({ attempt, before }) => {
    const paths = before.map(({ path }) => path)
    const isChosen = paths.some((path) => options.choices?.has(path) === true)
    const isHeld = attempt.kind === 'conflict' && paths.some((path) => inDoubt.has(path))
    return isHeld && !isChosen && (options.onConflict ?? 'stop') === 'stop' ? paths : []
  })
  if (held.length === 0) return found
  const rest = moves.filter(({ cell }) => !pathsOf(cell).some((path) => held.includes(path)))
  return proposeMoves(world, rest, options)
}

/** The proposals for moving these cells, and the paths that cannot move. */
function proposeMoves(
  world: World,
  moves: readonly Move[],
  options: PlanOptions,
): { proposals: Proposal[]; notCovered: NotCovered[] } {
  const input = foldInputOf(world)
  const proposals: Proposal[] = []
  const notCovered: NotCovered[] = []
  for (const group of groupMoves(world.cells, moves)) {
    const why = whyNotCovered(group, world)
    if (why !== null && isGoneAlready(group, world)) continue
    if (why !== null) {
      const turns = [...new Set(group.moves.map((move) => move.cell.turn))]
      const said = {
        ...whyLeft(world, why, group),
        ...(why === 'unknown-before' && isBeforeKept(group, world)
          ? { isBeforeKept: true as const }
          : {}),
      }
      notCovered.push(...group.paths.map((path) => ({ path, turns, why, ...said })))
    } else {
      proposals.push(proposeGroup(group, input, world, options))
    }
  }
  return { proposals, notCovered }
}

/**
 * Files of turns that come back, which an earlier undo could not move. They were never out, so no
 * cell moves, but whether they are as the turn left them is unknown (sem.A5).
 */
export function findStayed(world: World, ins: readonly TurnId[]): NotCovered[] {
  const isBack = new Set(ins)
  const stayed = world.cells.filter((cell) => isBack.has(cell.turn) && cell.in)
  const paths = new Map(
    stayed.flatMap(pathsOf).map((path) => [path, [] as { readonly cell: Cell }[]]),
  )
  if (paths.size === 0) return []
  for (const cell of world.cells)
    if (cell.in) for (const path of pathsOf(cell)) paths.get(path)?.push({ cell })
  return [...paths].flatMap(([path, steps]) => {
    const group = { paths: [path], steps }
    const why = whyNotCovered(group, world)
    const back = steps.filter(({ cell: { turn } }) => isBack.has(turn))
    if (why === null || isNow(world, path, newestOf(back).eff.at(-1)!.after)) return []
    const turns = new Set(back.map(({ cell: { turn } }) => turn))
    return [{ path, turns: [...turns], why, ...whyLeft(world, why, group) }]
  })
}

/** Whether the file is absent, as the moves want it. Then nothing of it is left. */
function isGoneAlready({ paths, moves }: MoveGroup, world: World): boolean {
  const [path, other] = paths
  if (path === undefined || other !== undefined) return false
  if (moves.some(({ to }) => to !== moves[0]!.to)) return false
  const isIn = moves[0]!.to === 'in'
  const oldest = moves.reduce((first, { cell }) => (cell.seq < first.seq ? cell : first), moves[0]!.cell) // prettier-ignore
  const wanted = isIn ? newestOf(moves).eff.at(-1)!.after : oldest.eff[0]!.before
  return wanted.kind === 'absent' && isNow(world, path, wanted)
}

function newestOf(moves: readonly { readonly cell: Cell }[]): Cell {
  return moves.reduce((last, { cell }) => (cell.seq > last.seq ? cell : last), moves[0]!.cell)
}

function isNow(world: World, path: ProjectPath, wanted: Value): boolean {
  return wanted.kind !== 'unknown' && sameValue(wanted, valueAt(world.now, path))
}

/** Whether only the turn's result is unknown, as for a file that grew past the limit. */
function isBeforeKept({ paths, moves }: MoveGroup, { contents }: World): boolean {
  if (paths.length > 1 || moves.some(({ to }) => to === 'in')) return false
  const oldest = moves.reduce((first, move) => (move.cell.seq < first.cell.seq ? move : first))
  const { before } = oldest.cell.eff[0]!
  return before.kind === 'file' && contents.has(before.content)
}

export function foldInputOf(world: World): FoldInput {
  return {
    contents: world.contents,
    now: world.now,
    cells: new Map(world.cells.map((cell) => [cell.id, cell])),
    latestMoves: world.latestMoves,
    stamp: world.seq + 1,
  }
}

/**
 * If one cell of a path cannot be inverted, the whole path is left alone. Moving only the others
 * would leave a mixture that no turn ever wrote.
 */
export function whyNotCovered(
  group: { readonly paths: MoveGroup['paths']; readonly steps: readonly { cell: Cell }[] },
  world: World,
): NotCoveredReason | null {
  if (group.paths.some(isNeverWritten)) return 'never-written'
  if (group.steps.some(({ cell }) => whyUnknown(cell, world.contents) !== null))
    return 'unknown-before'
  if (group.paths.some((path) => valueAt(world.now, path).kind === 'unknown')) return 'unreadable'
  return null
}

function whyLeft(
  world: World,
  why: NotCoveredReason,
  { paths, steps }: Parameters<typeof whyNotCovered>[0],
): Pick<NotCovered, 'because'> {
  const because =
    why === 'unknown-before'
      ? steps.flatMap(({ cell }) => whyUnknown(cell, world.contents) ?? [])[0]
      : paths.flatMap((path) => whyUnreadable(world, path) ?? [])[0]
  return why !== 'never-written' && because !== undefined ? { because } : {}
}

function whyUnreadable(world: World, path: ProjectPath): string | undefined {
  const value = valueAt(world.now, path)
  return value.kind === 'unknown' ? value.why : undefined
}

function proposeGroup(
  group: MoveGroup,
  input: FoldInput,
  world: World,
  options: PlanOptions,
): Proposal {
  const attempt = foldGroup(group, input)
  const { contents, now } = world
  const labels = options.labels ?? { ours: 'now', theirs: 'restored' }
  return {
    before: group.paths.map((path) => {
      const value = valueAt(now, path)
      return { path, pre: value, post: value }
    }),
    attempt:
      attempt.kind === 'conflict'
        ? { kind: 'conflict', reason: attempt.reason }
        : attempt.how.includes('merge') && group.paths.some(isOutside)
          ? { kind: 'conflict', reason: 'changed-here' }
          : { kind: 'folded', folded: attempt },
    view: () => viewConflict(contents, threeOf(group, now)),
    sides: (path) => sidesOf(group, now, path),
    settle: (choice) => settleMoves({ group, now, contents, choice, labels, stamp: input.stamp }),
    record: (folded) => recordMoves(group, folded, input),
    timesChanged: (path) => countChanges(group.moves, path),
    removesOutside: new Set(),
    ...(isAboutDirectories(group, attempt) ? { isAboutDirectories: true as const } : {}),
  }
}

/**
 * A directory that comes back may also replace an older turn's file, which is not only about
 * directories.
 */
function isAboutDirectories({ steps }: MoveGroup, attempt: Fold): boolean {
  const isFile = attempt.kind === 'folded' && !attempt.files.every(changesNothing)
  return !isFile && steps.every(({ cell }) => cell.directory !== undefined)
}

/**
 * Files outside of the project are never merged: if one changed since, the user decides (sem.A9).
 */
function isOutside(path: ProjectPath): boolean {
  return path.startsWith('/')
}

export function countChanges(moves: readonly Move[], path: string): number {
  return moves
    .filter((move) => pathsOf(move.cell).some((each) => each === path))
    .reduce((sum, move) => sum + move.cell.changes, 0)
}

/** The changed cells, and the record that makes this the latest move of its paths (sem.V2). */
export function recordMoves(
  group: Pick<MoveGroup, 'moves'>,
  folded: Folded,
  input: Pick<FoldInput, 'cells' | 'latestMoves'>,
): Recorded {
  const cells = folded.cells.map((after) => ({ before: cellOf(input.cells, after.id), after }))
  const latest = {
    moved: group.moves.map(({ cell, to }) => ({ cell: cell.id, to })),
    files: folded.files,
    cellsBefore: cells.map(({ before }) => before),
    ...(folded.forced === true ? { forced: folded.forced } : {}),
    ...(folded.unforced === true ? { unforced: folded.unforced } : {}),
  }
  return {
    cells,
    latestMoves: folded.files.map(({ path }) => ({
      path,
      before: input.latestMoves.get(path) ?? null,
      after: latest,
    })),
  }
}

function cellOf(cells: ReadonlyMap<CellId, Cell>, id: CellId): Cell {
  return cells.get(id)!
}
