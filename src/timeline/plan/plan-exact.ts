import {
  changesNothing,
  foldGroup,
  forceCells,
  groupMoves,
  pathsOf,
  valueAt,
  wasIn,
  type Cell,
  type FileChange,
  type Folded,
  type FoldInput,
  type Move,
  type MoveGroup,
} from '../cell/index.ts'
import type { Proposal } from './plan-draft.ts'
import type { NotCovered } from './plan-result.ts'
import { countChanges, foldInputOf, recordMoves, whyNotCovered } from './plan-turns.ts'
import type { Target, World } from './plan-world.ts'
import { sameValue, type ProjectPath, type TurnId, type Value } from '../data/index.ts'

/**
 * Replaces files with the given contents (sem.V8). Nothing merges, so nothing conflicts. Edits that
 * would be lost are listed. The cells that it passes are recorded as moved, so that they match the
 * files. To go back, the user undoes the operation.
 */
export function proposeTarget(
  world: World,
  target: Target,
  /**
   * Turns that the head passes. Cells of other turns that move out stay out: no redo brings them
   * in.
   */
  passed: ReadonlySet<TurnId>,
): { proposals: Proposal[]; notCovered: NotCovered[] } {
  const paths = [...target.values.keys()]
  const moves = passedMoves(world.cells, target)
  const groups = groupMoves(world.cells, moves)
    .filter((group) => group.paths.every((path) => target.values.has(path)))
    // Files that replaced others are written too.
    .map((group): MoveGroup => ({ ...group, replaced: new Set() }))
  const grouped = new Set(groups.flatMap((group) => group.paths))
  const alone: MoveGroup[] = paths
    .filter((path) => !grouped.has(path))
    .map((path) => ({ paths: [path], around: [], moves: [], steps: [] }))
  const input = foldInputOf(world)
  const proposals: Proposal[] = []
  const notCovered: NotCovered[] = []
  for (const group of [...groups, ...alone]) {
    const unknown = group.paths.some((path) => valueOf(target, path).kind === 'unknown')
    const why = unknown ? 'unknown-before' : whyNotCovered({ ...group, steps: [] }, world)
    if (why === null) proposals.push(proposeGroup(group, input, target, passed))
    else notCovered.push(...group.paths.map((path) => ({ path, turns: turnsOf(group), why })))
  }
  return { proposals, notCovered }
}

/** The moves that bring cells to the side they had at the target's time. */
export function passedMoves(cells: readonly Cell[], target: Target): Move[] {
  return cells
    .filter((cell) => pathsOf(cell).every((path) => target.values.has(path)))
    .filter((cell) => target.wholeTree === true || isOfFile(cell, target))
    .flatMap((cell): Move[] => {
      const wasThen = target.wereIn?.get(cell.id) ?? wasIn(cell, target.seq)
      const wanted = cell.seq <= target.seq && wasThen
      return cell.in === wanted ? [] : [{ cell, to: wanted ? 'in' : 'out' }]
    })
}

/** A directory cell counts only if a file is restored at its path. */
function isOfFile({ path, directory }: Cell, target: Target): boolean {
  if (directory === undefined) return true
  return directory.change === 'made' && valueOf(target, path).kind !== 'absent'
}

function proposeGroup(
  group: MoveGroup,
  input: FoldInput,
  target: Target,
  passed: ReadonlySet<TurnId>,
): Proposal {
  const files: FileChange[] = group.paths.map((path) => ({
    path,
    pre: valueAt(input.now, path),
    post: valueOf(target, path),
  }))
  const cells = forceCells({
    group,
    now: input.now,
    after: target.values,
    stamp: input.stamp,
  })
  const folded: Folded = {
    kind: 'folded',
    files,
    cells: cells.map((cell) => withReverted(cell, passed, input.stamp)),
    how: [],
    kept: [],
    forced: true,
  }
  return {
    before: files.map(({ path, pre }) => ({ path, pre, post: pre })),
    attempt: { kind: 'folded', folded },
    view: () => ({ choices: ['keep-mine'], regions: [], onlyWhitespace: false }),
    sides: (path) => ({
      base: null,
      ours: valueAt(input.now, path),
      theirs: valueOf(target, path),
      way: 'back',
    }),
    settle: () => null,
    record: (written) => recordMoves(group, written, input),
    timesChanged: (path) => countChanges(group.moves, path),
    removesOutside: target.chosen === true ? new Set() : outsideEdits(group, files, input),
    ...(isAboutDirectories(group, files) ? { isAboutDirectories: true as const } : {}),
  }
}

/** A directory may also have taken the place of a file that comes back. */
function isAboutDirectories({ moves }: MoveGroup, files: readonly FileChange[]): boolean {
  const areDirectories = moves.every(({ cell }) => cell.directory !== undefined)
  return moves.length > 0 && areDirectories && files.every(changesNothing)
}

/** A cell that moved out without its turn being passed must not come back with a later redo. */
function withReverted(cell: Cell, passed: ReadonlySet<TurnId>, seq: number): Cell {
  if (cell.in) return { ...cell, reverted: false, revertedSeq: null }
  return passed.has(cell.turn) ? cell : { ...cell, reverted: true, revertedSeq: seq }
}

/** Paths at which removing only the turns' changes would give another result than the target. */
function outsideEdits(
  group: MoveGroup,
  files: readonly FileChange[],
  input: FoldInput,
): Set<ProjectPath> {
  const fold = group.moves.length === 0 ? null : foldGroup(group, input)
  const expected = new Map<ProjectPath, Value>(
    fold?.kind === 'folded' ? fold.files.map(({ path, post }) => [path, post]) : [],
  )
  return new Set(
    files
      .filter(({ path, pre, post }) => {
        const byTurns = expected.get(path)
        return !sameValue(pre, post) && (byTurns === undefined || !sameValue(byTurns, post))
      })
      .map(({ path }) => path),
  )
}

function valueOf(target: Target, path: ProjectPath): Value {
  return valueAt(target.values, path)
}

function turnsOf(group: MoveGroup): TurnId[] {
  return [...new Set(group.moves.map((move) => move.cell.turn))]
}
