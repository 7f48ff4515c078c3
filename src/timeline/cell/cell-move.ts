import { Failure } from '#failure'
import { changesNothing, type Cell, type Change, type Side, type Transition } from './cell.ts'
import { turnSuperseded } from './supersede.ts'
import { absent, sameValue, type Contents, type ProjectPath, type Value } from '../data/index.ts'
import {
  mergeValues,
  type KeptMine,
  type MergeConflictReason,
  type MergeKind,
} from '../text/index.ts'

/** The value at each path while a plan is computed in memory. */
export type State = ReadonlyMap<ProjectPath, Value>

export type MoveConflictReason =
  | MergeConflictReason
  | 'old-path-occupied' // another file is at the path it was renamed from
  | 'new-path-occupied' // another file is at the path it was renamed to

export type CellMove =
  | {
      readonly kind: 'moved'
      readonly cell: Cell
      readonly state: State
      readonly how: readonly MergeKind[]
      readonly kept: readonly KeptMine[]
    }
  | { readonly kind: 'conflict'; readonly cell: Cell; readonly reason: MoveConflictReason }

export interface MoveRequest {
  readonly contents: Contents
  readonly cell: Cell
  readonly side: Side
  readonly state: State
  /**
   * The time of the move. Each move of a plan has its own, in order, because sem.V5 compares them.
   */
  readonly stamp: number
  /** A newer turn that is in created or deleted the file. */
  readonly isSuperseded?: boolean
  /** A newer turn that is in made a directory at the path it was renamed from. */
  readonly isOldPathTaken?: boolean
  /** Whether another turn that is in left this value at the cell's path. */
  readonly isOfOther?: (value: Value) => boolean
}

/** Moves one cell to the other side, in memory (sem.V1). */
export function moveCell(request: MoveRequest): CellMove {
  const { cell, side, state } = request
  if (request.isSuperseded === true)
    return { kind: 'moved', cell: turnSuperseded(cell, side, request.stamp), state, how: [], kept: [] } // prettier-ignore
  const now = valueAt(state, cell.path)
  if (cell.renamedFrom !== null) return moveRenamed(request, cell.renamedFrom)
  const merges = makeMerges(request.contents)
  let eff = cell.eff
  let value: Value
  const inverts = cell.last !== null && sameValue(now, cell.last.post)
  if (cell.last !== null && inverts) {
    merges.how.push('put')
    value = cell.last.pre
  } else if (side === 'out') {
    value = cell.eff.reduceRight((ours, { before, after }) => merges.run(after, ours, before), now)
  } else {
    const last = lastOut(cell)
    if (changesNothing(last)) {
      value = now
    } else {
      value = merges.run(last.post, now, last.pre)
      const carried = carryOver(request.contents, cell.eff, { pre: last.post, post: now })
      // What a forced undo replaced includes the user's lines. They must never become the turn's
      // effect.
      const fallback = last.forced === undefined ? effectOn(request.contents, cell.eff, now) : cell.eff // prettier-ignore
      eff = carried ?? fallback ?? [{ before: now, after: value }]
    }
  }
  if (merges.reason !== null) return { kind: 'conflict', cell, reason: merges.reason }
  const isTwin = side === 'in' && !inverts && isThere(cell, now, value) && request.isOfOther?.(now) === true // prettier-ignore
  const done = { pre: now, post: value, ...(isTwin ? { twin: twinOf(cell) } : {}) }
  const twin = side === 'out' && inverts ? cell.last?.twin : undefined
  return {
    kind: 'moved',
    cell: {
      ...turnedCell(request),
      eff: twin?.eff ?? eff,
      last: twin === undefined ? latestOf(done, cell.last, { side, inverts }) : twin.last,
    },
    state: new Map(state).set(cell.path, value),
    how: merges.how,
    kept: merges.kept,
  }
}

/** Whether a cell that moved in found its whole effect already in the file. */
function isThere(cell: Cell, now: Value, value: Value): boolean {
  return sameValue(now, value) && !changesNothing(lastOut(cell))
}

function twinOf({ last, eff }: Cell): NonNullable<Transition['twin']> {
  return { last, eff }
}

/**
 * What the cell records of a move. After a forced move it must not be the inverse, which would
 * repeat the choice without asking. The cell goes back to its state before the choice, or keeps
 * only its effect.
 */
function latestOf(
  done: Transition,
  before: Transition | null,
  { side, inverts }: { side: Side; inverts: boolean },
): Transition | null {
  if (before?.forced === undefined || (side === 'out' && !inverts)) return done
  return inverts ? before.forced.before : null
}

/**
 * Applies others' changes, made while the effect was out, to the effect. Otherwise an undo after
 * the redo would bring back a line that the user deleted meanwhile. The effect is not read from the
 * file: a later turn can hide a part of it, and undoing both must remove that part too.
 */
export function carryOver(
  contents: Contents,
  eff: readonly Change[],
  others: Transition,
): readonly Change[] | null {
  const carried: Change[] = []
  for (const { before, after } of eff) {
    const merges = [before, after].map((theirs) =>
      mergeValues(contents, { base: others.pre, ours: others.post, theirs }),
    )
    const [one, two] = merges
    if (one?.kind !== 'merged' || two?.kind !== 'merged') return null
    carried.push({ before: one.value, after: two.value })
  }
  return carried
}

/**
 * The whole effect, as if made on the present file. The file alone would not show a part that a
 * later turn hides.
 */
function effectOn(
  contents: Contents,
  eff: readonly Change[],
  now: Value,
): readonly Change[] | null {
  let value = now
  for (const { before, after } of eff) {
    const merge = mergeValues(contents, { base: before, ours: value, theirs: after })
    if (merge.kind !== 'merged') return null
    value = merge.value
  }
  return [{ before: now, after: value }]
}

/**
 * Moves a renamed file: merges its content, then changes its path (sem.M5). Conflicts if another
 * file is at the destination.
 */
function moveRenamed(request: MoveRequest, oldPath: ProjectPath): CellMove {
  const { cell, side, state, contents } = request
  const now: Pair = { old: valueAt(state, oldPath), new: valueAt(state, cell.path) }
  const { last, lastFrom } = cell
  const merges = makeMerges(contents)
  let eff = cell.eff
  function done(next: Pair, { inverts = false } = {}): CellMove {
    if (merges.reason !== null) return { kind: 'conflict', cell, reason: merges.reason }
    return {
      kind: 'moved',
      cell: {
        ...turnedCell(request),
        eff,
        last: latestOf({ pre: now.new, post: next.new }, last, { side, inverts }),
        lastFrom: latestOf({ pre: now.old, post: next.old }, lastFrom, { side, inverts }),
      },
      state: new Map(state).set(oldPath, next.old).set(cell.path, next.new),
      how: merges.how,
      kept: merges.kept,
    }
  }

  if (side === 'out' && request.isOldPathTaken === true)
    return { kind: 'conflict', cell, reason: 'old-path-occupied' }
  if (last !== null && lastFrom !== null) {
    if (sameValue(now.new, last.post) && sameValue(now.old, lastFrom.post)) {
      merges.how.push('put')
      return done({ old: lastFrom.pre, new: last.pre }, { inverts: true })
    }
    if (side === 'in' && !hasRenamed(last, lastFrom)) {
      // The undo found that the user had already moved the file. Redo inverts what the undo did at
      // each path.
      return done({
        old: merges.redo(lastFrom, now.old),
        new: merges.redo(last, now.new),
      })
    }
  }
  const bothThere = now.old.kind !== 'absent' && now.new.kind !== 'absent'
  if (bothThere)
    return {
      kind: 'conflict',
      cell,
      reason: side === 'out' ? 'old-path-occupied' : 'new-path-occupied',
    }
  const ours = now.new.kind === 'absent' ? now.old : now.new
  if (side === 'out') {
    const { before, after } = cell.eff[0]!
    return done({ old: merges.run(after, ours, before), new: absent })
  }
  const { before, after } = renamedBack(cell, last, lastFrom)
  const value = merges.run(before, ours, after)
  if (ours.kind !== 'absent') eff = [{ before: ours, after: value }]
  return done({ old: absent, new: value })
}

interface Pair {
  readonly old: Value
  readonly new: Value
}

function hasRenamed(last: Transition, lastFrom: Transition): boolean {
  return (
    last.pre.kind !== 'absent' &&
    last.post.kind === 'absent' &&
    lastFrom.pre.kind === 'absent' &&
    lastFrom.post.kind !== 'absent'
  )
}

/** The change that a redo of a rename makes: from what the undo wrote to what it replaced. */
function renamedBack(cell: Cell, last: Transition | null, lastFrom: Transition | null): Change {
  if (last === null || lastFrom === null) return cell.eff[0]!
  return { before: lastFrom.post, after: last.pre }
}

/** A cell can be out without a move by Retake (sem.C5). Then its effect is the only source. */
function lastOut(cell: Cell): Transition {
  return cell.last ?? { pre: cell.eff.at(-1)!.after, post: cell.eff[0]!.before }
}

function turnedCell({ cell, side, stamp }: MoveRequest): Cell {
  return { ...cell, in: side === 'in', since: stamp, earlier: [...cell.earlier, cell.since] }
}

export function valueAt(state: State, path: ProjectPath): Value {
  const value = state.get(path)
  if (value === undefined)
    throw new Failure('value-not-read', `${path} was not read before planning.`)
  return value
}

/** Runs merges in sequence and collects their results. Does nothing after a conflict. */
function makeMerges(contents: Contents) {
  const merges = {
    how: [] as MergeKind[],
    kept: [] as KeptMine[],
    reason: null as MoveConflictReason | null,
    run(base: Value, ours: Value, theirs: Value): Value {
      if (merges.reason !== null) return ours
      const merge = mergeValues(contents, { base, ours, theirs })
      if (merge.kind === 'conflict') {
        merges.reason = merge.reason
        return ours
      }
      merges.how.push(merge.how)
      merges.kept.push(...merge.kept)
      return merge.value
    },
    redo(last: Transition, now: Value): Value {
      return changesNothing(last) ? now : merges.run(last.post, now, last.pre)
    },
  }
  return merges
}
