import { pathsOf, type Cell, type Transition } from './cell.ts'
import { valueAt, type State } from './cell-move.ts'
import { absent, type Contents, type ProjectPath, type Value } from '../data/index.ts'
import {
  markValue,
  type Choice,
  type ConflictSides,
  type MarkLabels,
  type PathChoice,
  type Three,
} from '../text/index.ts'
import { endOf, startOf } from './replaced-files.ts'
import type { Folded } from './move-fold.ts'
import type { Move, MoveGroup } from './move-group.ts'

/** Applies a choice that writes (sem.M7). Null: the choice is not possible for this conflict. */
export function settleMoves(input: {
  group: MoveGroup
  now: State
  contents: Contents
  choice: WritingChoice
  labels: MarkLabels
  stamp: number
}): Folded | null {
  const { group, now, stamp } = input
  const after = new Map(targetOf(group, now))
  if (input.choice !== 'put-back') {
    const three = threeOf(group, now)
    const marked =
      three === null ? null : markValue(input.contents, three, input.labels, placesOf(input.choice))
    if (marked === null) return null
    after.set(group.paths[0]!, marked)
  }
  return {
    kind: 'folded',
    files: group.paths.map((path) => ({
      path,
      pre: valueAt(now, path),
      post: valueAt(after, path),
    })),
    cells: forceCells({ group, now, after, stamp }),
    how: [],
    kept: [],
    forced: true,
  }
}

/** Every choice except leaving the path out. */
export type WritingChoice = Exclude<PathChoice, 'keep-mine'>

/** The choices for single places. Null if there is one choice for the whole path. */
export function placesOf(choice: WritingChoice): readonly Choice[] | null {
  return typeof choice === 'string' ? null : choice
}

/** The sides of a conflict at a single path. Null if the group has several paths. */
export function threeOf(group: MoveGroup, now: State): Three<Value> | null {
  const [path, second] = group.paths
  if (path === undefined || second !== undefined) return null
  const { base, ours, theirs } = sidesOf(group, now, path)
  return { base: base ?? absent, ours, theirs }
}

/** The sides of a conflict at one path of a group. A rename leaves the old path absent. */
export function sidesOf(group: MoveGroup, now: State, path: ProjectPath): ConflictSides {
  const moves = movesInOrder(group)
  const first = moves.find(({ cell }) => pathsOf(cell).includes(path))
  const ways = new Set(moves.map(({ to }) => to))
  return {
    base: first === undefined ? null : baseOf(first, path),
    ours: valueAt(now, path),
    theirs: valueAt(targetOf(group, now), path),
    way: ways.size > 1 ? 'across' : ways.has('in') ? 'forward' : 'back',
  }
}

function baseOf({ cell, to }: Move, path: ProjectPath): Value {
  const isOld = path === cell.renamedFrom
  if (to === 'out') return isOld ? absent : cell.eff.at(-1)!.after
  if (isOld) return cell.lastFrom?.post ?? cell.eff[0]!.before
  return cell.last?.post ?? (cell.renamedFrom === null ? cell.eff[0]!.before : absent)
}

/** The values at the group's paths without changes by others. */
function targetOf(group: MoveGroup, now: State): State {
  const state = movesInOrder(group).reduce(applyWithoutMerge, startOf(group, now))
  return endOf(group, now, state) ?? state
}

/** The values after one more move, without changes by others. */
function applyWithoutMerge(state: State, { cell, to }: Move): State {
  // A directory has no value, so a file that a turn put in its place stays.
  if (cell.directory !== undefined) return state
  const value = to === 'out' ? cell.eff[0]!.before : cell.eff.at(-1)!.after
  if (cell.renamedFrom === null) return new Map(state).set(cell.path, value)
  const [there, gone] = to === 'out' ? [cell.renamedFrom, cell.path] : [cell.path, cell.renamedFrom]
  return new Map(state).set(there, value).set(gone, absent)
}

/** Without the lifted cells, which a forced result ignores. */
function movesInOrder(group: MoveGroup): Move[] {
  const moved = new Set(group.moves.map((move) => move.cell))
  return group.steps.filter((step) => moved.has(step.cell))
}

/** Keeps only one earlier move, or the record would grow with every choice. */
function oneStep({ pre, post, forced }: Transition): Transition {
  return forced === undefined ? { pre, post } : { pre, post, forced: { before: null } }
}

/**
 * The next turn that comes in began with what the user wrote after this one. Those lines are no
 * part of either turn, so they are in the value between the two.
 */
function withLinesBetween(state: State, [move, ...later]: readonly Move[]): State {
  const { cell, to } = move!
  const next = later.find((each) => pathsOf(each.cell).includes(cell.path))
  const isPlain = [cell, next?.cell].every(
    (each) => each?.renamedFrom === null && each.directory === undefined,
  )
  if (next === undefined || !isPlain || to !== 'in' || next.to !== 'in') return state
  return new Map(state).set(cell.path, next.cell.eff[0]!.before)
}

/**
 * The cells after contents were written without merging. Each records its own part: the first move
 * of a path starts with what was replaced, the last ends with what was written, and the values in
 * between are what the turns left or found. So some of the cells can be undone alone.
 */
export function forceCells(input: {
  group: MoveGroup
  now: State
  after: State
  stamp: number
}): Cell[] {
  const { group, now, after, stamp } = input
  const moves = movesInOrder(group)
  let state = startOf(group, now)
  return moves.map((move, index) => {
    const { cell, to } = move
    const before = state
    state = withLinesBetween(applyWithoutMerge(before, move), moves.slice(index))
    function transition(path: ProjectPath, last: Transition | null): Transition {
      const isLast =
        group.replaced?.has(path) !== true &&
        !moves
          .slice(index + 1)
          .some((later) => later.cell.directory === undefined && pathsOf(later.cell).includes(path))
      return {
        pre: valueAt(before, path),
        post: valueAt(isLast ? after : state, path),
        forced: { before: last === null ? null : oneStep(last) },
      }
    }
    const { renamedFrom } = cell
    return {
      ...cell,
      in: to === 'in',
      since: stamp + index,
      earlier: [...cell.earlier, cell.since],
      last: transition(cell.path, cell.last),
      lastFrom: renamedFrom === null ? null : transition(renamedFrom, cell.lastFrom),
    }
  })
}
