import {
  isOn,
  lifeAfter,
  pathsOf,
  type Cell,
  type Change,
  type Folded,
  type Move,
  type Transition,
} from '../cell/index.ts'
import type { Contents, ProjectPath, Value } from '../data/index.ts'
import { findParts, mergeValues, restoreParts } from '../text/index.ts'
import type { Proposal } from './plan-draft.ts'
import type { Ledger, World } from './plan-world.ts'

/**
 * The cells of the line's active turns that are in and changed these files. A file that a turn
 * renamed is followed to its new path, or its later changes there would conflict (sem.M5).
 */
export function movesAt(
  ledger: Ledger,
  paths: ReadonlySet<ProjectPath>,
  includeUnsure: boolean,
): { moves: Move[]; left: Cell[] } {
  const end = ledger.line.findIndex(({ id }) => id === ledger.head)
  const active = new Set(ledger.line.slice(0, end + 1).map(({ id }) => id))
  const own = ledger.cells.filter((cell) => active.has(cell.turn) && isOn(cell, 'in'))
  const chosen = new Set(own.filter((cell) => pathsOf(cell).some((path) => paths.has(path))))
  // The set grows during the loop, because a file may be renamed more than once.
  for (const cell of chosen)
    if (cell.renamedFrom !== null)
      for (const other of [...(lifeAfter(cell, own)?.own ?? []), ...earlierInTurn(cell, own)])
        chosen.add(other)
  const found = own.filter((cell) => chosen.has(cell))
  const isMoved = ({ doubt }: Cell): boolean => doubt === null || includeUnsure
  return {
    moves: found.filter(isMoved).map((cell) => ({ cell, to: 'out' })),
    left: found.filter((cell) => !isMoved(cell)),
  }
}

/** What the turn did to the file before it renamed it: a turn's change is reverted as a whole. */
function earlierInTurn({ turn, seq, renamedFrom }: Cell, cells: readonly Cell[]): Cell[] {
  return cells.filter(
    (cell) =>
      cell.turn === turn &&
      cell.seq < seq &&
      cell.path === renamedFrom &&
      cell.directory === undefined,
  )
}

/**
 * Reduces the proposal for a file to some of its parts. All parts give the whole proposal. Null:
 * one of them no longer exists or has changed.
 */
export function proposeParts(
  world: World,
  whole: Proposal,
  moves: readonly Move[],
  keys: ReadonlySet<string>,
): Proposal | null {
  const { attempt } = whole
  if (attempt.kind === 'conflict' || attempt.folded.files.length !== 1) return null
  const [{ path, pre, post }] = attempt.folded.files as [Folded['files'][number]]
  const parts = findParts(world.contents, post, pre)
  const value = restoreParts(world.contents, { old: post, now: pre }, keys)
  if (value === null) return null
  if (parts.every(({ key }) => keys.has(key))) return whole
  const done: Transition = { pre, post: value }
  const before = moves.map(({ cell }) => cell).toSorted((a, b) => a.seq - b.seq)
  const after = shrinkEffects(world.contents, before, done) ?? before
  const folded: Folded = {
    kind: 'folded',
    files: [{ path, ...done }],
    cells: after,
    how: [],
    kept: [],
  }
  return {
    ...whole,
    attempt: { kind: 'folded', folded },
    settle: () => null,
    record: (written) => ({
      cells: written.cells.flatMap((cell, at) =>
        cell === before[at] ? [] : [{ before: before[at]!, after: cell }],
      ),
      // The cells stay in, so no move of theirs inverts this.
      latestMoves: [
        {
          path,
          before: world.latestMoves.get(path) ?? null,
          after: { moved: [], files: written.files, cellsBefore: [] },
        },
      ],
    }),
  }
}

/**
 * Reduces the turns' effects to what is left. Otherwise the remaining and the removed parts would
 * look like adjacent edits by two people, and the next undo would conflict with them (sem.M4).
 * Null: it is unknown which turn's effect was removed.
 */
function shrinkEffects(
  contents: Contents,
  cells: readonly Cell[],
  done: Transition,
): readonly Cell[] | null {
  // A removed part that a newer change does not explain belongs to an older one.
  let rest = done
  const carry = (value: Value): Value | null => {
    const merge = mergeValues(contents, { base: rest.pre, ours: rest.post, theirs: value })
    return merge.kind === 'merged' ? merge.value : null
  }
  const shrunk: Cell[] = []
  for (const [at, cell] of cells.toReversed().entries()) {
    const eff: Change[] = []
    for (const [i, { before, after }] of cell.eff.toReversed().entries()) {
      // Undoing the rest must lead to the state before all of them.
      const isOldest = at === cells.length - 1 && i === cell.eff.length - 1
      const [from, to] = [isOldest ? before : carry(before), carry(after)]
      if (from === null || to === null) return null
      eff.unshift({ before: from, after: to })
      rest = { pre: before, post: from }
    }
    shrunk.unshift({ ...cell, eff })
  }
  return shrunk
}
